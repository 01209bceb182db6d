/// One pass over a text's bytes that tells whether anything in it could be sensitive.
enum SuspicionScan {
    private static let minimumCardDigits = 13

    /// True where the text holds an `@`, a URL's query, 13 digits or more, a `cv`, or the beginning of credentials.
    static func isSuspicious(_ text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { scan($0) } ?? scan(Array(text.utf8))
    }

    private static func scan(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
        guard bytes.count > 3 else { return false }
        var digits = 0
        var previous: UInt8 = 0
        for byte in bytes {
            // 0 for nearly every letter; the table is read-only and stays in the nearest cache.
            switch byte {
            case 0x30...0x39: digits += 1
            case UInt8(ascii: "@"), UInt8(ascii: "?"): return true
            case UInt8(ascii: "v"), UInt8(ascii: "V"):
                if previous | 0x20 == UInt8(ascii: "c") { return true }
            case UInt8(ascii: "%"): return true
            case 0x20:
                if previous | 0x20 == UInt8(ascii: "r") || previous | 0x20 == UInt8(ascii: "c") { return true }
            default: break
            }
            previous = byte
        }
        return digits >= minimumCardDigits
    }
}
