import AstrolabePlatform

/// A reference to a record of one run: the segment's key << 32 | the record's offset, so references sort by age.
struct RecordReference: Equatable, Comparable {
    let raw: UInt64

    init(segment: UInt32, offset: Int) { raw = UInt64(segment) << 32 | UInt64(offset) }

    var segment: UInt32 { UInt32(truncatingIfNeeded: raw >> 32) }
    var offset: Int { Int(raw & 0xFFFF_FFFF) }

    static func < (left: Self, right: Self) -> Bool { left.raw < right.raw }
}

/// Unleased records of one run, eight bytes each, by priority and kind in order of age.
struct PendingIndex {
    private var queues: [UInt16: Queue] = [:]

    /// Sorted, consumed from the front. The consumed part is removed when it is larger than the rest.
    private struct Queue {
        private var items: [RecordReference] = []
        private var head = 0

        var waiting: ArraySlice<RecordReference> { items[head...] }
        var first: RecordReference? { head < items.count ? items[head] : nil }

        mutating func removeFirst() {
            head += 1
            if head == items.count || head > 4_096, head * 2 > items.count {
                items.removeFirst(head)
                head = 0
            }
        }

        mutating func insert(_ item: RecordReference) {
            var low = head
            var high = items.count
            if high == low || items[high - 1] < item { return items.append(item) }
            while low < high {
                let middle = (low + high) / 2
                if items[middle] < item { low = middle + 1 } else { high = middle }
            }
            items.insert(item, at: low)
        }

        mutating func insert(sorted batch: [RecordReference]) {
            guard let last = batch.last else { return }
            if head >= batch.count, first.map({ last < $0 }) ?? false {
                head -= batch.count
                items.replaceSubrange(head..<head + batch.count, with: batch)
            } else {
                items = (items[head...] + batch).sorted()
                head = 0
            }
        }

        mutating func remove(where isMeant: (RecordReference) -> Bool) -> [RecordReference] {
            var (removed, kept): ([RecordReference], [RecordReference]) = ([], [])
            for item in waiting {
                if isMeant(item) { removed.append(item) } else { kept.append(item) }
            }
            guard !removed.isEmpty else { return [] }
            items = kept
            head = 0
            return removed
        }
    }

    private static func key(priority: UInt8, kind: UInt8) -> UInt16 { UInt16(priority) << 8 | UInt16(kind) }

    mutating func insert(_ item: RecordReference, labels: RecordLabels) {
        queues[Self.key(priority: labels.priority, kind: labels.kind), default: Queue()].insert(item)
    }

    /// Returns records taken with `removeFirst`, in order of age.
    mutating func insert(sorted batch: [RecordReference], priority: UInt8, kind: UInt8) {
        queues[Self.key(priority: priority, kind: kind), default: Queue()].insert(sorted: batch)
    }

    /// The highest pending priority among some kinds, or all, and the kind of its oldest record.
    func mostUrgent(of kinds: Set<UInt8>?) -> (priority: UInt8, kind: UInt8)? {
        let waiting = queues.compactMap { key, queue in
            kinds?.contains(UInt8(key & 0xFF)) ?? true ? queue.first.map { (key: key, first: $0) } : nil
        }
        let best = waiting.max { left, right in
            left.key >> 8 == right.key >> 8 ? left.first > right.first : left.key < right.key
        }
        return best.map { (UInt8($0.key >> 8), UInt8($0.key & 0xFF)) }
    }

    /// The priorities with pending records of this kind, most urgent first.
    func priorities(ofKind kind: UInt8) -> [UInt8] {
        let pending = queues.filter { UInt8($0.key & 0xFF) == kind && $0.value.first != nil }
        return pending.map { UInt8($0.key >> 8) }.ordered(by: >)
    }

    func first(priority: UInt8, kind: UInt8) -> RecordReference? {
        queues[Self.key(priority: priority, kind: kind)]?.first
    }

    mutating func removeFirst(priority: UInt8, kind: UInt8) {
        queues[Self.key(priority: priority, kind: kind)]?.removeFirst()
    }

    /// The oldest record of all.
    var oldest: RecordReference? { queues.values.compactMap(\.first).min() }

    /// The priorities with pending records.
    var priorities: Set<UInt8> { Set(queues.filter { $0.value.first != nil }.map { UInt8($0.key >> 8) }) }

    /// Removes and returns the oldest record of a priority.
    mutating func removeOldest(priority: UInt8) -> RecordReference? {
        let oldest = queues.filter { UInt8($0.key >> 8) == priority }
            .compactMap { key, queue in queue.first.map { (key: key, first: $0) } }
            .min { $0.first < $1.first }
        guard let oldest else { return nil }
        queues[oldest.key]?.removeFirst()
        return oldest.first
    }

    /// Removes and returns the records of a priority and kind that match, in order of age.
    mutating func remove(
        priority: UInt8, kind: UInt8, where isMeant: (RecordReference) -> Bool,
    ) -> [RecordReference] {
        queues[Self.key(priority: priority, kind: kind)]?.remove(where: isMeant) ?? []
    }

    /// The records of a priority and kind, in order of age.
    func all(priority: UInt8, kind: UInt8) -> [RecordReference] {
        queues[Self.key(priority: priority, kind: kind)].map { Array($0.waiting) } ?? []
    }

    /// Removes and returns all records that match.
    mutating func remove(where isMeant: (RecordReference) -> Bool) -> [RecordReference] {
        queues.keys.flatMap { queues[$0]?.remove(where: isMeant) ?? [] }
    }
}
