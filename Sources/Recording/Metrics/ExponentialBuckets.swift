/// Neighbouring buckets of an exponential histogram: those of its positive or of its negative values.
///
/// The outermost buckets are never empty.
struct ExponentialBuckets: Equatable, Sendable {
    /// The index of the first bucket.
    private(set) var first = 0
    private(set) var counts: [UInt64] = []

    /// By how much the scale must be lowered for `range` to fit in `maxSize` buckets together with these.
    func excess(with range: ClosedRange<Int>, maxSize: Int) -> Int {
        var low = counts.isEmpty ? range.lowerBound : min(first, range.lowerBound)
        var high = counts.isEmpty ? range.upperBound : max(first + counts.count - 1, range.upperBound)
        var shift = 0
        while high - low >= maxSize {
            low >>= 1
            high >>= 1
            shift += 1
        }
        return shift
    }

    mutating func add(at index: Int) {
        if counts.isEmpty { first = index }
        if index < first {
            counts.insert(contentsOf: repeatElement(0, count: first - index), at: 0)
            first = index
        } else if index - first >= counts.count {
            counts.append(contentsOf: repeatElement(0, count: index - first - counts.count + 1))
        }
        counts[index - first] += 1
    }

    /// Merges each `2^shift` neighbours.
    mutating func lower(by shift: Int) {
        guard shift > 0, let last = indices?.upperBound else { return }
        let newFirst = first >> shift
        for position in counts.indices {
            let target = ((first + position) >> shift) - newFirst
            guard target < position else { continue }
            counts[target] += counts[position]
            counts[position] = 0
        }
        counts.removeLast(counts.count - ((last >> shift) - newFirst + 1))
        first = newFirst
    }

    /// The indexes of the buckets; `nil` if there are none.
    var indices: ClosedRange<Int>? {
        counts.isEmpty ? nil : first...(first + counts.count - 1)
    }
}
