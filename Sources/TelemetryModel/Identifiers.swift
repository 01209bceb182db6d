/// The 16 bytes that all spans of one trace share.
///
///     let id = TraceID(hex: "4bf92f3577b34da6a3ce929d0e0e4736")
///
/// Kept as two integers so that copying and comparing it costs nothing. The all-zero value is invalid
/// (W3C Trace Context, section 3.2.2.3).
public struct TraceID: Hashable, Sendable {
    /// The first 8 bytes, big-endian.
    @usableFromInline package let high: UInt64
    /// The last 8 bytes, big-endian; W3C level 2 asks for these to be random, and samplers read them.
    @usableFromInline package let low: UInt64

    /// Creates an id from its two halves.
    @inlinable
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads exactly 32 lower-case hexadecimal digits; `nil` for anything else.
    public init?(hex: some StringProtocol) {
        guard hex.utf8.count == 32, let high = UInt64(lowercaseHex: hex.utf8.prefix(16)),
            let low = UInt64(lowercaseHex: hex.utf8.dropFirst(16))
        else { return nil }
        self.init(high: high, low: low)
    }

    /// The id whose bytes are all zero.
    @inlinable public static var invalid: TraceID { TraceID(high: 0, low: 0) }

    /// True if any byte is not zero.
    @inlinable public var isValid: Bool { high != 0 || low != 0 }

    /// 32 lower-case hexadecimal digits.
    public var hex: String { high.lowercaseHex + low.lowercaseHex }
}

/// The 8 bytes that name one span within its trace; all-zero is invalid.
public struct SpanID: Hashable, Sendable {
    /// The 8 bytes, big-endian.
    @usableFromInline package let value: UInt64

    /// Creates an id from its bytes as an integer.
    @inlinable
    package init(_ value: UInt64) {
        self.value = value
    }

    /// Reads exactly 16 lower-case hexadecimal digits; `nil` for anything else.
    public init?(hex: some StringProtocol) {
        guard hex.utf8.count == 16, let value = UInt64(lowercaseHex: hex.utf8) else { return nil }
        self.init(value)
    }

    /// The id whose bytes are all zero.
    @inlinable public static var invalid: SpanID { SpanID(0) }

    /// True if any byte is not zero.
    @inlinable public var isValid: Bool { value != 0 }

    /// 16 lower-case hexadecimal digits.
    public var hex: String { value.lowercaseHex }
}

extension TraceID: CustomStringConvertible {
    public var description: String { hex }
}

extension SpanID: CustomStringConvertible {
    public var description: String { hex }
}

extension UInt64 {
    /// 16 lower-case hexadecimal digits, zero-padded.
    var lowercaseHex: String {
        String(unsafeUninitializedCapacity: 16) { buffer in
            for index in 0..<16 {
                let nibble = UInt8(truncatingIfNeeded: self >> UInt64((15 - index) * 4)) & 0xF
                buffer[index] = nibble < 10 ? 0x30 + nibble : 0x57 + nibble
            }
            return 16
        }
    }

    /// Reads lower-case hexadecimal digits alone: W3C Trace Context forbids upper case.
    init?(lowercaseHex digits: some Sequence<UInt8>) {
        var value: UInt64 = 0
        for digit in digits {
            switch digit {
            case 0x30...0x39: value = value << 4 | UInt64(digit - 0x30)
            case 0x61...0x66: value = value << 4 | UInt64(digit - 0x57)
            default: return nil
            }
        }
        self = value
    }
}
