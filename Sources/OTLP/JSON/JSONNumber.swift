/// The numbers of protobuf's JSON mapping, read from their text.
enum JSONNumber {
    /// No sensible number is longer; a double has at most 767 significant digits.
    static let lengthLimit = 1024

    /// A whole number in sign and magnitude; `1e3` and `1.0` count as whole, as the mapping allows.
    static func integer(
        _ text: UnsafeRawBufferPointer, at offset: Int,
    ) throws(OTLPDecodingError) -> (isNegative: Bool, magnitude: UInt64) {
        let isNegative = text.first == UInt8(ascii: "-")
        var magnitude: UInt64 = 0
        for byte in text.dropFirst(isNegative ? 1 : 0) {
            guard (0x30...0x39).contains(byte) else { return try wholeDouble(text, at: offset) }
            let (tenfold, tooLarge) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, overflow) = tenfold.addingReportingOverflow(UInt64(byte - 0x30))
            guard !tooLarge, !overflow else {
                throw OTLPDecodingError(at: offset, "expected a whole number of at most 64 bits")
            }
            magnitude = sum
        }
        return (isNegative, magnitude)
    }

    static func double(_ text: UnsafeRawBufferPointer, at offset: Int) throws(OTLPDecodingError) -> Double {
        guard text.count <= lengthLimit else {
            throw OTLPDecodingError(at: offset, "expected a number of at most \(lengthLimit) characters")
        }
        guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else {
            throw OTLPDecodingError(at: offset, "expected a number that a double can hold")
        }
        return value
    }

    private static func wholeDouble(
        _ text: UnsafeRawBufferPointer, at offset: Int,
    ) throws(OTLPDecodingError) -> (isNegative: Bool, magnitude: UInt64) {
        let value = try double(text, at: offset)
        guard let magnitude = UInt64(exactly: value.magnitude) else {
            throw OTLPDecodingError(at: offset, "expected a whole number of at most 64 bits")
        }
        return (value.sign == .minus, magnitude)
    }
}
