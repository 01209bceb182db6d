import Atomics

/// Blocks of memory for spans, of which eight are kept between two spans: to take one is half as expensive as to allocate
/// it.
///
/// Where the running thread's stack lies says which of the eight it takes, so that threads seldom meet at one.
final class SpanMemory: @unchecked Sendable {  // all that is shared are atomic addresses
    static let blockSize = 1_024
    private static let placeCount = 8
    /// Each place has a cache line of its own.
    private static let stride = 64

    private let places: UnsafeMutableRawPointer

    init() {
        places = .allocate(byteCount: Self.placeCount * Self.stride, alignment: Self.stride)
        for index in 0..<Self.placeCount {
            (places + index * Self.stride).bindMemory(to: UnsafeAtomic<UInt>.Storage.self, capacity: 1)
                .initialize(to: .init(0))
        }
    }

    deinit {
        for index in 0..<Self.placeCount {
            UnsafeMutableRawPointer(bitPattern: place(index).load(ordering: .acquiring))?.deallocate()
        }
        places.deallocate()
    }

    /// A block whose bytes may be anything.
    @inline(__always)
    func take() -> UnsafeMutableRawPointer {
        let place = place(Self.ownPlace)
        if place.load(ordering: .relaxed) != 0,
            let block = UnsafeMutableRawPointer(bitPattern: place.exchange(0, ordering: .acquiring))
        {
            return block
        }
        return .allocate(byteCount: Self.blockSize, alignment: 8)
    }

    /// Keeps the block for a later span, or frees it.
    @inline(__always)
    func give(back block: UnsafeMutableRawPointer) {
        let (isKept, _) = place(Self.ownPlace).compareExchange(
            expected: 0, desired: UInt(bitPattern: block), ordering: .acquiringAndReleasing, )
        if !isKept { block.deallocate() }
    }

    /// The top three bits of a product (Fibonacci hashing) of the stack's address in units of 64 KiB.
    @inline(__always)
    private static var ownPlace: Int {
        var here: UInt8 = 0
        let stack = withUnsafeMutablePointer(to: &here) { UInt64(UInt(bitPattern: $0)) }
        return Int(((stack >> 16) &* 0x9E37_79B9_7F4A_7C15) >> 61)
    }

    @inline(__always)
    private func place(_ index: Int) -> UnsafeAtomic<UInt> {
        UnsafeAtomic(at: (places + index &* Self.stride).assumingMemoryBound(to: UnsafeAtomic<UInt>.Storage.self))
    }
}
