package import AstrolabeTelemetryModel

extension Severity {
    /// The severity whose group has this number of OTLP, 1 to 24; `info` for others.
    package init(number: Int) {
        self = (1...24).contains(number) ? Severity(rawValue: Int32((number - 1) / 4 * 4 + 1)) ?? .info : .info
    }
}
