import Atomics
import Platform
package import TelemetryModel

/// Finished records in memory, on their way out: bounded, and lock-free for the many who append.
///
///     a ring of segments, each 256 KiB:
///     +--------+---------+--------+---------+-------------- - -
///     | header | record  | header | record  | 0 0 0 0 0 0 0 0
///     +--------+---------+--------+---------+-------------- - -
///     header, 16 bytes:  length u32 | kind u8 | priority u8 | scope u16 | time u64
///
/// A producer claims its place with one atomic add and commits it with one release store of the length, the first word
/// of the header: a reader that sees a length sees the whole record. A producer that does not fit moves everybody on to
/// the next segment, if the reader has emptied it; if not, the record is dropped and counted. One reader at a time.
package final class MemoryBuffer: RecordSink, @unchecked Sendable {  // producers share atomics; one reader
    private static let headerSize = 16
    /// In the place of a length: nothing follows in this segment.
    private static let endMark: UInt32 = .max

    private let segments: [Segment]
    /// The number of the segment that is appended to; it only grows, and the ring's index is its remainder.
    private let writing = ManagedAtomic<Int>(0)
    /// The number of the first segment that the reader has not emptied.
    private let reading = ManagedAtomic<Int>(0)
    private var readOffset = 0
    private let appended = ManagedAtomic<Int>(0)
    private let dropped = ManagedAtomic<Int>(0)
    private let scopes = Guarded<[InstrumentationScope]>([])

    private struct Segment {
        let memory: UnsafeMutableRawPointer
        let claimed: ManagedAtomic<Int>

        func length(at offset: Int) -> UnsafeAtomic<UInt32> {
            let word = (memory + offset).assumingMemoryBound(to: UnsafeAtomic<UInt32>.Storage.self)
            return UnsafeAtomic(at: word)
        }
    }

    private let segmentSize: Int

    /// - Parameters:
    ///   - segmentSize: Bytes of a segment, a multiple of 8: no record can be larger. Default 262,144 + 16.
    ///   - segmentCount: At least 2. Default 16, which makes 4 MiB in all.
    package init(segmentSize: Int = 262_144 + 16, segmentCount: Int = 16) {
        let size = (max(segmentSize, 1_024) + 7) & ~7
        self.segmentSize = size
        segments = (0..<max(segmentCount, 2)).map { _ in
            let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
            memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
            return Segment(memory: memory, claimed: ManagedAtomic(0))
        }
    }

    deinit {
        for segment in segments { segment.memory.deallocate() }
    }

    package func register(_ scope: InstrumentationScope) -> ScopeNumber {
        scopes.withLock { scopes in
            if let index = scopes.firstIndex(of: scope) { return ScopeNumber(rawValue: UInt16(index)) }
            // Past the bound, scopes share the last one's name: wrong attribution is better than a lost record.
            guard scopes.count < 1_024 else { return ScopeNumber(rawValue: UInt16(scopes.count - 1)) }
            scopes.append(scope)
            return ScopeNumber(rawValue: UInt16(scopes.count - 1))
        }
    }

    package func scope(_ number: ScopeNumber) -> InstrumentationScope {
        scopes.withLock { scopes in
            Int(number.rawValue) < scopes.count ? scopes[Int(number.rawValue)] : InstrumentationScope(name: "")
        }
    }

    package func append(_ bytes: UnsafeRawBufferPointer, header: RecordHeader) {
        let size = (Self.headerSize + bytes.count + 7) & ~7
        // A length of 0 would read as "not committed yet"; no record of ours is empty.
        guard size <= segmentSize, !bytes.isEmpty, let source = bytes.baseAddress else { return drop() }
        while true {
            let number = writing.load(ordering: .acquiring)
            let segment = segments[number % segments.count]
            let offset = segment.claimed.loadThenWrappingIncrement(by: size, ordering: .acquiringAndReleasing)
            if offset + size <= segmentSize {
                let place = segment.memory + offset
                place.storeBytes(of: header.kind.rawValue, toByteOffset: 4, as: UInt8.self)
                place.storeBytes(of: header.priority.rawValue, toByteOffset: 5, as: UInt8.self)
                place.storeBytes(of: header.scope.rawValue, toByteOffset: 6, as: UInt16.self)
                place.storeBytes(of: header.timeUnixNano, toByteOffset: 8, as: UInt64.self)
                (place + Self.headerSize).copyMemory(from: source, byteCount: bytes.count)
                segment.length(at: offset).store(UInt32(bytes.count), ordering: .releasing)
                appended.wrappingIncrement(ordering: .relaxed)
                return
            }
            if offset < segmentSize { segment.length(at: offset).store(Self.endMark, ordering: .releasing) }
            guard number + 1 - reading.load(ordering: .acquiring) < segments.count else { return drop() }
            _ = writing.compareExchange(expected: number, desired: number + 1, ordering: .acquiringAndReleasing)
        }
    }

    private func drop() {
        appended.wrappingIncrement(ordering: .relaxed)
        dropped.wrappingIncrement(ordering: .relaxed)
    }

    /// Records that were appended so far, dropped ones included.
    package var appendedCount: Int { appended.load(ordering: .relaxed) }
    /// Records that found no room.
    package var droppedCount: Int { dropped.load(ordering: .relaxed) }

    /// Copies up to `limit` of the oldest records out and forgets them. For one reader at a time.
    package func take(limit: Int) -> RecordBatch {
        var batch = RecordBatch()
        while batch.count < limit {
            let number = reading.load(ordering: .relaxed)
            let segment = segments[number % segments.count]
            if readOffset < segmentSize {
                let length = segment.length(at: readOffset).load(ordering: .acquiring)
                if length == 0 { break }
                if length != Self.endMark {
                    append(segment.memory + readOffset, length: Int(length), to: &batch)
                    readOffset += (Self.headerSize + Int(length) + 7) & ~7
                    continue
                }
            }
            guard number < writing.load(ordering: .acquiring) else { break }
            recycle(segment, as: number)
        }
        return batch
    }

    private func append(_ place: UnsafeMutableRawPointer, length: Int, to batch: inout RecordBatch) {
        let kind = RecordKind(rawValue: place.load(fromByteOffset: 4, as: UInt8.self)) ?? .event
        let scope = ScopeNumber(rawValue: place.load(fromByteOffset: 6, as: UInt16.self))
        batch.append(UnsafeRawBufferPointer(start: place + Self.headerSize, count: length), kind: kind, scope: scope)
    }

    /// Empties the segment for its next turn in the ring.
    private func recycle(_ segment: Segment, as number: Int) {
        segment.memory.initializeMemory(as: UInt8.self, repeating: 0, count: segmentSize)
        segment.claimed.store(0, ordering: .releasing)
        readOffset = 0
        reading.store(number + 1, ordering: .releasing)
    }
}
