/// Stored records in the order in which they arrived.
package struct Arrivals<Record: Sendable>: Sendable {
    package let records: [Record]
    /// The names of the records' sessions, in the same order; `nil` for a record without a session.
    package let sessions: [String?]
    /// The origins of the records, by number.
    package let origins: [Int64: Origin]
    /// The scopes of the records, by number.
    package let scopes: [Int64: Scope]
    /// When the records arrived.
    package let times: ArrivalTimes
    /// The last sequence number that retention removed.
    package let trimmedThrough: Int64

    package init(
        records: [Record], sessions: [String?], origins: [Int64: Origin], scopes: [Int64: Scope], times: ArrivalTimes,
        trimmedThrough: Int64,
    ) {
        self.records = records
        self.sessions = sessions
        self.origins = origins
        self.scopes = scopes
        self.times = times
        self.trimmedThrough = trimmedThrough
    }
}

/// The minutes in which records arrived, by the console's clock.
package struct ArrivalTimes: Sendable, Hashable {
    package struct Minute: Sendable, Hashable {
        /// The last sequence number of the minute.
        package let last: Int64
        /// The number of the minute since 1970.
        package let number: Int64

        package init(last: Int64, number: Int64) {
            self.last = last
            self.number = number
        }
    }

    private let minutes: [Minute]

    /// - Parameter minutes: In the order of their sequence numbers.
    package init(_ minutes: [Minute]) {
        self.minutes = minutes
    }

    /// Returns the start of the minute in which the record with a sequence number arrived, in nanoseconds since 1970;
    /// `nil` if that is unknown.
    package func time(of sequence: Int64) -> Int64? {
        var (low, high) = (0, minutes.count)
        while low < high {
            let middle = (low + high) / 2
            if minutes[middle].last < sequence { low = middle + 1 } else { high = middle }
        }
        return low < minutes.count ? minutes[low].number.clampedProduct(60_000_000_000) : nil
    }
}
