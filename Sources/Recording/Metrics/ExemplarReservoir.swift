import AstrolabeTelemetryModel

/// The exemplars of one data point until it is collected.
///
/// Each place holds one of the measurements that were offered to it, all of them with the same probability. A histogram
/// with explicit buckets has a place for each bucket, any other point some places for all measurements.
struct ExemplarReservoir: Sendable {
    private let size: Int
    private let hasBuckets: Bool
    private var places: [Exemplar?] = []
    /// The number of measurements that were offered: to each place, or to all.
    private var offered: [UInt64] = []

    init(_ aggregation: StreamAggregation) {
        switch aggregation {
        case .histogram(let bounds, _):
            size = bounds.count + 1
            hasBuckets = true
        case .exponentialHistogram(let limits, _):
            size = min(limits.maxSize, 20)
            hasBuckets = false
        case .sum, .observedSum, .lastValue:
            size = 1
            hasBuckets = false
        }
    }

    var exemplars: [Exemplar] { places.compactMap { $0 } }
    var count: Int { places.reduce(0) { $0 + ($1 == nil ? 0 : 1) } }

    /// Offers a measurement.
    ///
    /// - Parameters:
    ///   - bucket: The measurement's bucket, for a histogram with explicit buckets.
    ///   - hasRoom: Whether a place that is empty may be filled.
    ///   - random: Any number.
    ///   - make: Makes the exemplar. Only called if it is kept.
    /// - Returns: Whether an empty place was filled.
    mutating func offer(
        bucket: Int, hasRoom: Bool, random: UInt64, _ make: () -> Exemplar,
    ) -> Bool {
        if places.isEmpty {
            places = Array(repeating: nil, count: size)
            offered = Array(repeating: 0, count: hasBuckets ? size : 1)
        }
        let counter = hasBuckets ? bucket : 0
        let before = offered[counter]
        offered[counter] += 1
        let place: Int
        if hasBuckets {
            guard random % (before + 1) == 0 else { return false }
            place = bucket
        } else {
            place = Int(before < UInt64(size) ? before : random % (before + 1))
        }
        guard place < size else { return false }
        let isEmpty = places[place] == nil
        guard !isEmpty || hasRoom else { return false }
        places[place] = make()
        return isEmpty
    }

    /// Forgets all, and keeps the memory.
    mutating func removeAll() {
        for index in places.indices { places[index] = nil }
        for index in offered.indices { offered[index] = 0 }
    }
}
