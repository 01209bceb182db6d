/// A count in one word of a file, from which damage to the word shows.
///
/// The word is the count times an odd constant, so that threads can add to it atomically. A damaged word, also one of
/// equal bytes, is a multiple of the constant by a number beyond the greatest count, except one in 16 million.
enum CheckedCount {
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
    /// Its inverse modulo 2^64.
    private static let inverse: UInt64 = 0xF1DE_83E1_9937_733D
    private static let greatest: UInt64 = 1 << 40

    static func word(_ count: Int) -> UInt64 { min(UInt64(clamping: count), greatest) &* factor }

    /// `nil` if the word is damaged.
    static func count(_ word: UInt64) -> Int? {
        let count = word &* inverse
        return count <= greatest ? Int(count) : nil
    }
}
