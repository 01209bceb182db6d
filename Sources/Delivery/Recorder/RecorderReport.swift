package import Foundation

/// The state of the flight recorder. A day is one of UTC.
package struct RecorderReport: Equatable, Sendable {
    /// The number of records in the ring.
    package var records = 0
    /// Bytes of the records in the ring.
    package var bytes = 0
    /// Bytes of the ring's files, two segments of which take new records.
    package var capacity = 0
    /// The time of the oldest record; `nil` if the ring is empty.
    package var oldest: Date?
    /// False if the ring has written its bytes of this hour, and the recorder is off until the next.
    package var isWithinHour = true
    /// The number of records that were promoted today, by trigger.
    package var promoted: [String: Int] = [:]
    /// Bytes of the records that were promoted today.
    package var promotedBytes = 0
    /// Bytes of records that may be promoted in a day.
    package var dailyBytes = 0
    /// The number of records that had no room in today's budget.
    package var refused = 0
}
