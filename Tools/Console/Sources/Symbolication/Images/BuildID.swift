/// The identifier of one build of an executable or library: an ELF's GNU build ID or a Mach-O's UUID.
///
/// It is written in lowercase hexadecimal digits and has 4 to 64 bytes. Linkers write 8 to 20 bytes.
package struct BuildID: Sendable, Hashable, CustomStringConvertible {
    package let hex: String

    private static let byteCount = 4...64

    init?(bytes: some Collection<UInt8>) {
        guard Self.byteCount.contains(bytes.count), bytes.contains(where: { $0 != 0 }) else { return nil }
        hex = String(bytes.flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] })
    }

    /// Parses hexadecimal digits in either case, with or without the dashes of a UUID.
    package init?(_ text: String) {
        let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
        guard digits.count % 2 == 0, Self.byteCount.contains(digits.count / 2) else { return nil }
        let nibbles = digits.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard nibbles.count == digits.count else { return nil }
        let bytes = stride(from: 0, to: nibbles.count, by: 2).map { UInt8(nibbles[$0] << 4 | nibbles[$0 + 1]) }
        self.init(bytes: bytes)
    }

    package var description: String { hex }

    private static let digits = Array("0123456789abcdef")
}
