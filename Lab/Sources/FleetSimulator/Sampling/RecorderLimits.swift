import AstrolabeDelivery
import AstrolabeOfflineQueue
import AstrolabeRecording

/// The limits of the flight recorder and of the queue, which are those of the SDK unless a test sets others.
struct RecorderLimits: Sendable {
    /// Bytes of the ring of one run: `RecorderConfiguration.capacity`.
    var capacity = 4_194_304
    /// Bytes of a segment, which is overwritten as a whole: room for the largest record.
    var segmentBytes = RecordLimits().recordSize + 8_192
    /// Seconds before and after a trigger whose records are promoted.
    var before: Double
    var after: Double
    var dailyBytes: Int
    var hourlyBytes: Int
    var triggersPerHour = RecorderKey.session.limitPerHour
    var queueRecords: Int
    var queueBytes: Int

    init(dailyBytes: Int? = nil) {
        let settings = FlightRecorder.Settings()
        before = Double(settings.before) / 1e9
        after = Double(settings.after) / 1e9
        self.dailyBytes = dailyBytes ?? settings.dailyBytes
        hourlyBytes = settings.hourlyBytes
        let queue = QueueConfiguration()
        queueRecords = queue.maximumRecords
        queueBytes = queue.maximumBytes
    }
}
