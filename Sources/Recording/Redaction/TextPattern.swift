/// A pattern of the app's, as ``RedactionOptions/patterns`` describes it.
struct TextPattern: Sendable {
    private enum Element: Hashable {
        case literal(UInt8)
        case digit, letter, run
    }

    private let elements: [Element]

    /// `nil` for a pattern without a letter or a digit of its own, which would match nearly any text.
    init?(_ pattern: String) {
        var elements: [Element] = []
        var isEscaped = false
        for byte in pattern.utf8 {
            if !isEscaped, byte == UInt8(ascii: "\\") {
                isEscaped = true
                continue
            }
            elements.append(isEscaped ? .literal(byte.lowercase) : Self.element(byte))
            isEscaped = false
        }
        let hasLiteral = elements.contains { element in
            if case .literal(let byte) = element { byte.isWord || byte >= 0x80 } else { false }
        }
        guard hasLiteral else { return nil }
        self.elements = elements
    }

    private static func element(_ byte: UInt8) -> Element {
        switch byte {
        case UInt8(ascii: "#"): .digit
        case UInt8(ascii: "@"): .letter
        case UInt8(ascii: "*"): .run
        default: .literal(byte.lowercase)
        }
    }

    func ranges(in text: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        text.ranges { end(from: $0, in: text) }
    }

    private func end(from start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        if start > 0, isPart(text[start - 1]), isPart(text[start]) { return nil }
        var index = start
        for element in elements {
            guard index < text.count else { return nil }
            let byte = text[index]
            switch element {
            case .literal(let literal): guard literal == byte.lowercase else { return nil }
            case .digit: guard byte.isDigit else { return nil }
            case .letter: guard byte.isLetter else { return nil }
            case .run:
                guard byte.isBase64URL else { return nil }
                while index + 1 < text.count, text[index + 1].isBase64URL { index += 1 }
            }
            index += 1
        }
        return index < text.count && isPart(text[index]) && isPart(text[index - 1]) ? nil : index
    }

    /// Returns true if the byte belongs to a word, of which a pattern must not match a part.
    private func isPart(_ byte: UInt8) -> Bool { byte.isWord || byte >= 0x80 }
}
