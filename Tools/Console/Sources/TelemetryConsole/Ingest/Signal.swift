/// A signal of OTLP.
package enum Signal: String, Sendable, CaseIterable {
    case traces
    case logs
    case metrics
    /// In development in OTLP, whose paths say so.
    case profiles

    /// The path of OTLP over HTTP.
    package var path: String { (self == .profiles ? "v1development/" : "v1/") + rawValue }
}
