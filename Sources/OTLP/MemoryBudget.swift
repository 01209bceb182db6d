/// The memory that one decoded request may occupy: 16 times its length in bytes, and 64 KiB.
///
/// Some encodings unfold: an empty log record takes 2 bytes of protobuf and over 100 bytes of memory. Every array and
/// every string on the heap is charged here before it is allocated, so a request made of such things is refused early
/// instead of filling the memory. A span with 8 attributes unfolds less than twofold, the smallest records that mean
/// anything about tenfold. While an array grows, its old storage exists beside the new one, so the peak is at most
/// half as much again.
public struct MemoryBudget: Sendable {
    /// Bytes of memory allowed for each byte of the request.
    public static let factor = 16
    /// Bytes of memory allowed for any request.
    public static let base = 64 << 10

    /// Bookkeeping of one heap allocation: the object's header, and the allocator's header and rounding.
    static let allocationOverhead = 48

    private var remaining: Int

    init(inputLength: Int) {
        let (scaled, overflow) = inputLength.multipliedReportingOverflow(by: Self.factor)
        remaining = overflow ? .max : scaled.addingReportingOverflow(Self.base).overflow ? .max : scaled + Self.base
    }

    /// Takes `bytes` from what is left.
    ///
    /// - Parameter offset: Where in the request the need arose.
    @inline(__always)
    mutating func charge(_ bytes: Int, at offset: Int) throws(OTLPDecodingError) {
        guard bytes <= remaining else { throw Self.exceeded(at: offset) }
        remaining -= bytes
    }

    /// Charges the storage of `count` more elements of an array.
    mutating func chargeElements<Element>(
        _ count: Int, of type: Element.Type, at offset: Int,
    ) throws(OTLPDecodingError) {
        let (bytes, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
        guard !overflow, bytes <= .max - Self.allocationOverhead else { throw Self.exceeded(at: offset) }
        try charge(bytes + Self.allocationOverhead, at: offset)
    }

    /// Charges a string's storage; up to 15 bytes live inside the `String` itself.
    @inline(__always)
    mutating func chargeString(length: Int, at offset: Int) throws(OTLPDecodingError) {
        if length > 15 { try charge(length + Self.allocationOverhead, at: offset) }
    }

    /// Gives back what was charged for something temporary.
    mutating func refund(_ bytes: Int) {
        remaining += bytes
    }

    /// Appends to an array, charging before it grows.
    ///
    /// - Parameter expected: How many elements to make room for at first.
    @inline(__always)
    mutating func append<Element>(
        _ element: consuming Element, to array: inout [Element], at offset: Int,
    ) throws(OTLPDecodingError) {
        if array.count == array.capacity {
            try grow(&array, by: max(array.count, 4), at: offset)
        }
        array.append(element)
    }

    /// Makes room for `count` more elements.
    @inline(never)
    mutating func grow<Element>(_ array: inout [Element], by count: Int, at offset: Int) throws(OTLPDecodingError) {
        try chargeElements(count, of: Element.self, at: offset)
        array.reserveCapacity(array.count + count)
    }

    @inline(never)
    private static func exceeded(at offset: Int) -> OTLPDecodingError {
        OTLPDecodingError(
            at: offset,
            "the request would occupy more than \(factor) times its length in memory; send fewer empty elements",
        )
    }
}

/// The depth to which things may nest, so that reading them cannot exhaust the stack.
public enum NestingLimit {
    /// Lists and maps inside the value of an attribute or a log body.
    public static let anyValue = 32
    /// Protobuf groups, and JSON arrays and objects, inside a field that OTLP does not define.
    public static let unknownField = 64
}
