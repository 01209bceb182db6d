/// Parts that are secret by their place in a URL: user information, and the values of its query and fragment.
enum URLSecrets {
    static func ranges(
        in text: UnsafeBufferPointer<UInt8>, recordedQueryItems: Set<String>, isQuery: Bool,
    ) -> [Range<Int>] {
        if isQuery { return values(from: 0, until: text.count, in: text, recorded: recordedQueryItems) }
        var ranges: [Range<Int>] = []
        for index in text.indices where text.matches("://", at: index) {
            if let user = userInformation(from: index + 3, in: text) { ranges.append(user) }
        }
        var index = 0
        while index < text.count {
            let isStart = text[index] == UInt8(ascii: "?") || text[index] == UInt8(ascii: "#")
            let end = isStart ? endOfURL(from: index, in: text) : index + 1
            if isStart { ranges += values(from: index + 1, until: end, in: text, recorded: recordedQueryItems) }
            index = end
        }
        return ranges
    }

    /// The user information: the text before the last `@` of the authority that begins at `start`.
    private static func userInformation(from start: Int, in text: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        var end = start
        while end < text.count, !endsAuthority(text[end]) { end += 1 }
        return text[start..<end].lastIndex(of: UInt8(ascii: "@")).map { start..<$0 }
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") || endsURL(byte)
    }

    private static func endOfURL(from start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
        var end = start
        while end < text.count, !endsURL(text[end]) { end += 1 }
        return end
    }

    private static func endsURL(_ byte: UInt8) -> Bool {
        byte.isBlank || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
            || byte == UInt8(ascii: "`")
    }

    /// The values of the items `name=value` whose names are not among `recorded`; `#` begins an item too, since
    /// fragments carry tokens in the same form.
    private static func values(
        from start: Int, until end: Int, in text: UnsafeBufferPointer<UInt8>, recorded: Set<String>,
    ) -> [Range<Int>] {
        var values: [Range<Int>] = []
        for item in text[start..<end].split(whereSeparator: beginsItem) {
            guard let equals = item.firstIndex(of: UInt8(ascii: "=")), equals + 1 < item.endIndex else { continue }
            let name = String(decoding: item[item.startIndex..<equals], as: UTF8.self)
            if !recorded.contains(name) { values.append(equals + 1..<item.endIndex) }
        }
        return values
    }

    private static func beginsItem(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: ";"), UInt8(ascii: "#"): true
        default: false
        }
    }
}
