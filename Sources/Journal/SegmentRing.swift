import Atomics

/// The segments of the running process, to which producers append without locks or system calls.
///
/// Segments form a chain. `current` is the segment in use; each links to the next if maintenance has prepared one. A
/// producer that reaches the end of a segment advances `current` with one compare-and-swap.
///
/// A slot's memory stays mapped for the life of the ring. A slot is recycled only after all of its claims are committed
/// and completed. A producer preempted between reading `current` and claiming therefore finds either a full segment or
/// room in the recycled one; both are correct.
final class SegmentRing: @unchecked Sendable {  // producers share atomics; the rest is written before it is published
    let layout: SegmentLayout
    private let salt: UInt64
    private let slots: UnsafeMutablePointer<Slot>
    private let currentStorage: UnsafeMutablePointer<UnsafeAtomic<UInt64>.Storage>
    private let shortage = UnsafeAtomic<UInt8>.create(JournalRefusal.closed.rawValue)
    private let reservePriority: UInt8
    private var mappings: [MappedMemory] = []
    /// True if producers have reached the mark of a segment since maintenance last prepared segments.
    let isLow = UnsafeAtomic<Bool>.create(false)

    private struct Slot {
        var base: UnsafeMutableRawPointer?
        /// Bytes of the segment.
        var size = 0
        /// The record at this offset asks for the next segments to be prepared.
        var mark = 0
        var number: UInt32 = 0
        /// The link to the next segment: its number << 8 | its slot; 0 if there is none yet.
        var next = UnsafeAtomic<UInt64>.Storage(0)
    }

    /// A segment's slot together with its number, which changes each time the slot is recycled.
    struct Link: Equatable {
        let raw: UInt64
        init(raw: UInt64) { self.raw = raw }
        init(number: UInt32, slot: Int) { raw = UInt64(number) << 8 | UInt64(slot) }
        var slot: Int { Int(raw & 0xFF) }
        var number: UInt32 { UInt32(truncatingIfNeeded: raw >> 8) }
    }

    init(_ layout: SegmentLayout, salt: UInt64, reservePriority: UInt8 = 0) {
        self.layout = layout
        self.reservePriority = reservePriority
        self.salt = salt
        slots = .allocate(capacity: layout.capacity)
        slots.initialize(repeating: Slot(), count: layout.capacity)
        currentStorage = .allocate(capacity: 2)
        currentStorage.initialize(to: .init(0))
        (currentStorage + 1).initialize(to: .init(0))
    }

    deinit {
        slots.deallocate()
        currentStorage.deallocate()
        shortage.destroy()
        isLow.destroy()
    }

    private var current: UnsafeAtomic<UInt64> { UnsafeAtomic(at: currentStorage) }
    /// The segment reserved for urgent records; 0 if there is none. Stored next to `current`, which is read first.
    private var reserved: UnsafeAtomic<UInt64> { UnsafeAtomic(at: currentStorage + 1) }

    private func next(of slot: Int) -> UnsafeAtomic<UInt64> {
        let offset = MemoryLayout<Slot>.offset(of: \.next) ?? 0
        let place = UnsafeMutableRawPointer(slots + slot) + offset
        return UnsafeAtomic(at: place.assumingMemoryBound(to: UnsafeAtomic<UInt64>.Storage.self))
    }

    /// The longest payload that fits.
    var maximumLength: Int { layout.usual - SegmentHeader.size - RecordFrame.headerSize }

    /// Copies a record into the current segment, or returns why it was refused.
    func append(_ payload: UnsafeRawBufferPointer, time: UInt64, labels: RecordLabels) -> JournalAppend {
        guard payload.count <= maximumLength else { return .refused(.oversized) }
        let size = RecordFrame.size(length: payload.count)
        var link = Link(raw: current.load(ordering: .acquiring))
        while link.raw != 0, let base = slots[link.slot].base {
            if labels.priority < reservePriority, link.raw == reserved.load(ordering: .relaxed) { break }
            let region = Region(base: base, start: SegmentHeader.size, end: slots[link.slot].size, salt: salt)
            let next = next(of: link.slot)
            let isLast = next.load(ordering: .relaxed) == 0
            if case .made(let offset, let ordinal) = region.claim(size, isLast: isLast) {
                let sequence = UInt64(slots[link.slot].number) << 32 | UInt64(ordinal)
                region.write(payload, at: offset, sequence: sequence, time: time, labels: labels)
                let mark = slots[link.slot].mark
                if offset <= mark, mark < offset + size { isLow.store(true, ordering: .relaxed) }
                return .appended(sequence: sequence)
            }
            let following = next.load(ordering: .acquiring)
            let observed = Link(raw: current.load(ordering: .acquiring))
            if observed != link {
                link = observed
            } else if following == 0 {
                break
            } else {
                let (moved, original) = current.compareExchange(
                    expected: link.raw, desired: following, ordering: .acquiringAndReleasing,
                )
                link = Link(raw: moved ? following : original)
            }
        }
        return .refused(
            link.raw == 0 ? .closed : JournalRefusal(rawValue: shortage.load(ordering: .relaxed)) ?? .notReady)
    }

    /// Stops appending.
    func close() {
        current.store(0, ordering: .releasing)
    }

    /// The segment in use; `nil` after `close`.
    var currentLink: Link? {
        let link = Link(raw: current.load(ordering: .acquiring))
        return link.raw == 0 ? nil : link
    }

    /// Sets the reason that `append` returns if it finds no segment.
    func setShortage(_ reason: JournalRefusal) {
        shortage.store(reason.rawValue, ordering: .relaxed)
    }

    /// Reserves a segment for urgent records, or none.
    func reserve(_ link: Link?) {
        reserved.store(link?.raw ?? 0, ordering: .relaxed)
    }

    func region(of slot: Int) -> Region? {
        slots[slot].base.map { Region(base: $0, start: SegmentHeader.size, end: slots[slot].size, salt: salt) }
    }

    /// Assigns a slot its memory permanently. Called by maintenance.
    func install(_ memory: MappedMemory, in slot: Int) {
        mappings.append(memory)
        slots[slot].size = memory.size
        slots[slot].mark = layout.isShort(slot) ? memory.size / 2 : SegmentHeader.size
        slots[slot].base = memory.base
    }

    /// Returns the memory of all segments after `close`. Called by maintenance.
    func discard() {
        for memory in mappings { memory.discard() }
    }

    /// Appends an empty segment to the chain. Called by maintenance, which has written the segment's header.
    func publish(_ link: Link, after last: Link?) {
        guard let region = region(of: link.slot) else { return }
        slots[link.slot].number = link.number
        next(of: link.slot).store(0, ordering: .releasing)
        region.open()
        if let last {
            next(of: last.slot).store(link.raw, ordering: .releasing)
        } else {
            current.store(link.raw, ordering: .releasing)
        }
    }
}
