/// Replaces what differs from run to run: ids and times.
struct TextNormalizer {
    private var numbers: [String: Int] = [:]

    /// The text with `<id 1>` for UUIDs and for hexadecimal ids of 16 or 32 digits, and `<time>` for times of ISO 8601
    /// and for nanoseconds since 1970. An id has the same number wherever it occurs.
    mutating func normalized(_ text: String) -> String {
        // An id has at least 16 characters.
        guard text.utf8.count >= 16 else { return text }
        let withoutTimes = text.replacing(Self.time, with: "<time>").replacing(Self.nanoseconds, with: "<time>")
        var result = ""
        var rest = withoutTimes[...]
        while let match = rest.firstMatch(of: Self.id) {
            result += rest[..<match.range.lowerBound]
            let id = String(match.output).lowercased()
            let number = numbers[id] ?? numbers.count + 1
            numbers[id] = number
            result += "<id \(number)>"
            rest = rest[match.range.upperBound...]
        }
        return result + rest
    }

    private static var id: Regex<Substring> {
        #/\b(?:[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}|[0-9a-f]{32}|[0-9a-f]{16})\b/#
    }

    private static var time: Regex<Substring> {
        #/\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?/#
    }

    /// From 2001 to 2096.
    private static var nanoseconds: Regex<Substring> { #/\b[123]\d{18}\b/# }
}
