/// The number of records that one recorded span stands for.
///
/// A sampler writes the threshold of its decision into `tracestate` as `ot=th:<hexadecimal digits>`. A span is kept
/// with the probability `1 - th / 2^56`, so it stands for the inverse of that.
package enum AdjustedCount {
    /// Returns the adjusted count for a `tracestate`.
    ///
    /// - Parameter isKept: Whether the flight recorder has sent the span (`astrolabe.recorder.trigger`), or an earlier
    ///   version has kept it (`astrolabe.sampling.kept_by = error`). Such a span was not chosen by chance, and those of
    ///   the recorded sessions stand for all. So its count is 0 without a threshold. Any other span without a valid
    ///   threshold stands for itself.
    package static func of(traceState: String, isKept: Bool = false) -> Double {
        threshold(in: traceState) ?? (isKept ? 0 : 1)
    }

    private static func threshold(in traceState: String) -> Double? {
        for member in traceState.split(separator: ",") {
            let parts = member.trimmedBlanks.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0] == "ot" else { continue }
            for entry in parts[1].split(separator: ";") where entry.hasPrefix("th:") {
                return of(threshold: entry.dropFirst(3))
            }
        }
        return nil
    }

    /// Returns the adjusted count for a threshold of 1 to 14 hexadecimal digits; missing digits on the right are zeros.
    package static func of(threshold digits: some StringProtocol) -> Double? {
        guard (1...14).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
            let threshold = UInt64(digits, radix: 16)
        else { return nil }
        let aligned = threshold << UInt64(4 * (14 - digits.utf8.count))
        return 0x1p56 / Double((1 << 56) - aligned)
    }
}

extension Substring {
    fileprivate var trimmedBlanks: Substring {
        var result = drop { $0 == " " || $0 == "\t" }
        while let last = result.last, last == " " || last == "\t" { result.removeLast() }
        return result
    }
}
