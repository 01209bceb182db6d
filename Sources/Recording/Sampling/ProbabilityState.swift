package import AstrolabeTelemetryModel

/// OpenTelemetry's own member of `tracestate`, `ot`: a list of `key:value`, of which sampling reads and writes two.
///
/// `th` is the threshold that the trace's randomness had to reach ("TraceState: Probability Sampling"), `rv` is
/// randomness that replaces the trace id's.
package struct ProbabilityState {
    private let state: TraceState
    private let fields: [Substring]

    static let range: UInt64 = 1 << 56

    package init(_ state: TraceState) {
        self.state = state
        fields = state.isEmpty ? [] : (state["ot"] ?? "").split(separator: ";")
    }

    static func fourteenDigits(of value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(14 - digits.count, 0)) + digits
    }

    /// The 56 bits that decide: explicit ones or, if none have the right form, the trace id's last.
    package func randomness(of traceID: TraceID) -> UInt64 {
        guard let digits = value(of: "rv"), digits.utf8.count == 14 else { return traceID.low & (Self.range - 1) }
        return Self.number(digits) ?? traceID.low & (Self.range - 1)
    }

    /// 1 to 14 digits, as if followed by zeros; `nil` if no value has that form.
    package var threshold: UInt64? {
        guard let digits = value(of: "th"), (1...14).contains(digits.utf8.count) else { return nil }
        return Self.number(digits).map { $0 << UInt64((14 - digits.utf8.count) * 4) }
    }

    /// The list with this threshold, as digits, in place of the one it has.
    package func setting(threshold digits: String) -> TraceState {
        state.setting("ot", to: (["th:" + digits] + fieldsWithoutThreshold).joined(separator: ";"))
    }

    package func removingThreshold() -> TraceState {
        guard value(of: "th") != nil else { return state }
        let rest = fieldsWithoutThreshold
        return rest.isEmpty ? state.removing("ot") : state.setting("ot", to: rest.joined(separator: ";"))
    }

    private var fieldsWithoutThreshold: [String] {
        fields.filter { !$0.hasPrefix("th:") }.map(String.init)
    }

    private func value(of key: String) -> Substring? {
        fields.first { $0.hasPrefix(key + ":") }?.dropFirst(key.utf8.count + 1)
    }

    /// Lower-case hexadecimal digits alone.
    private static func number(_ digits: Substring) -> UInt64? {
        let isPlain = digits.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        return isPlain ? UInt64(digits, radix: 16) : nil
    }
}
