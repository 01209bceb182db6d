import Atomics
import CAstrolabeCrashCapture

/// Counts the spans that were sampled out, and gives each a number that no other span of the process has.
///
///      63   62          40 39   37 36                 0
///     +----+---------------+-------+--------------------+
///     | ok | core's number | shard | count of the shard |      ok: the core keeps errors
///     +----+---------------+-------+--------------------+
///
/// It is on the path of every such span: one atomic addition, to one of eight counters that lie two cache lines apart.
/// Where the running thread's stack lies says which one, so that threads seldom share one.
struct SampledOutCounter: @unchecked Sendable {  // all that is shared are atomic counters
    private let shards: UnsafeMutableRawPointer
    private let prefix: UInt64
    private let owner: Owner

    static let coreMask: UInt64 = 0x7F_FFFF
    private static let shardCount = 8
    private static let stride = 128
    /// The place of a shard's count at the begin of the period: in a cache line that no span touches.
    private static let firstOffset = 64
    /// The place of a count in the first shard, in the same line.
    private static let keptOffset = 72
    private static let countBits: UInt64 = 37
    private static let coreShift: UInt64 = 40

    /// Frees the memory after the last copy of the counter.
    private final class Owner {
        let shards: UnsafeMutableRawPointer

        init(_ shards: UnsafeMutableRawPointer) {
            self.shards = shards
        }

        deinit {
            shards.deallocate()
        }
    }

    init(core: UInt64, keepsErrors: Bool) {
        prefix = (core & Self.coreMask) << Self.coreShift | (keepsErrors ? SpanRef.keptBit : 0)
        shards = .allocate(byteCount: Self.shardCount * Self.stride, alignment: Self.stride)
        owner = Owner(shards)
        for shard in 0..<Self.shardCount {
            for offset in [0, Self.firstOffset, Self.keptOffset] {
                (shards + shard * Self.stride + offset)
                    .bindMemory(to: UnsafeAtomic<UInt64>.Storage.self, capacity: 1).initialize(to: .init(0))
            }
        }
    }

    /// Counts one more span, and returns its number.
    @inline(__always)
    func next() -> UInt64 {
        let shard = astrolabe_thread_shard()
        let count = counter(Int(shard)).wrappingIncrementThenLoad(ordering: .relaxed)
        return prefix | shard << Self.countBits | count
    }

    /// The number of spans that have been counted.
    var count: UInt64 {
        (0..<Self.shardCount).reduce(0) { $0 &+ counter($1).load(ordering: .relaxed) }
    }

    /// The number of these spans that have been recorded after all, because they or their trace failed.
    var keptByError: UnsafeAtomic<UInt64> {
        UnsafeAtomic(at: (shards + Self.keptOffset).assumingMemoryBound(to: UnsafeAtomic<UInt64>.Storage.self))
    }

    /// Begins a period: numbers that were given out until now are not of it.
    func beginPeriod() {
        for shard in 0..<Self.shardCount {
            first(shard).store(counter(shard).load(ordering: .relaxed), ordering: .relaxed)
        }
    }

    /// Returns true if a number was given out in this period, and for what is no number of this core.
    func isOfCurrentPeriod(_ number: UInt64) -> Bool {
        guard Self.core(of: number) == Self.core(of: prefix) else { return true }
        let (shard, count) = (number >> Self.countBits & 7, number & ((1 << Self.countBits) - 1))
        return count > first(Int(shard)).load(ordering: .relaxed)
    }

    /// The core that gave this number out.
    static func core(of number: UInt64) -> UInt64 { number >> coreShift & coreMask }

    @inline(__always)
    private func counter(_ shard: Int) -> UnsafeAtomic<UInt64> {
        UnsafeAtomic(at: (shards + shard &* Self.stride).assumingMemoryBound(to: UnsafeAtomic<UInt64>.Storage.self))
    }

    private func first(_ shard: Int) -> UnsafeAtomic<UInt64> {
        let place = shards + shard &* Self.stride + Self.firstOffset
        return UnsafeAtomic(at: place.assumingMemoryBound(to: UnsafeAtomic<UInt64>.Storage.self))
    }
}
