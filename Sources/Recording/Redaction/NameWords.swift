/// The words of a name such as `user.accessToken`, `X-Api-Key` or `PASSWORD_2`: in lower case, without digits.
struct NameWords {
    let words: [String]
    /// For each word, the number of the part between dots that it belongs to.
    let parts: [Int]

    init(_ name: UnsafeBufferPointer<UInt8>) {
        var words: [String] = []
        var parts: [Int] = []
        var part = 0
        var start = 0
        func endWord(at end: Int) {
            guard end > start else { return }
            words.append(name.lowercased(start..<end))
            parts.append(part)
        }
        for index in name.indices {
            let byte = name[index]
            if !byte.isLetter && byte < 0x80 {
                endWord(at: index)
                start = index + 1
                if byte == UInt8(ascii: ".") { part += 1 }
            } else if index > start, byte.isUppercase, Self.beginsWord(at: index, in: name) {
                endWord(at: index)
                start = index
            }
        }
        endWord(at: name.count)
        self.words = words
        self.parts = parts
    }

    /// Returns true if the upper-case letter begins a word, as in `userName` and the second word of `APIKey`. The `s`
    /// of `PINs` is a plural.
    private static func beginsWord(at index: Int, in name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard name[index - 1].isUppercase else { return true }
        guard index + 1 < name.count, name[index + 1].isLowercase else { return false }
        let isPlural =
            name[index + 1] == UInt8(ascii: "s") && (index + 2 == name.count || !name[index + 2].isLowercase)
        return !isPlural
    }
}
