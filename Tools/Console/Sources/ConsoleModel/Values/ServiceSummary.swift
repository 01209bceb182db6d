/// A `service.name` and the number of its records.
package struct ServiceSummary: Sendable, Hashable {
    package let name: String
    package let side: OriginSide
    /// The number of spans received from stored resources. Retention does not lower it.
    package let spans: Int
    package let logs: Int
    package let metricPoints: Int
    /// The number of session replay frames, which are not counted as logs.
    package let replayFrames: Int
    /// True if some of the resources have `astrolabe.synthetic = true`: their records were made up, not measured.
    package let isSynthetic: Bool

    package init(
        name: String, side: OriginSide, spans: Int, logs: Int, metricPoints: Int, replayFrames: Int, isSynthetic: Bool,
    ) {
        self.name = name
        self.side = side
        self.spans = spans
        self.logs = logs
        self.metricPoints = metricPoints
        self.replayFrames = replayFrames
        self.isSynthetic = isSynthetic
    }
}

/// The size of the store.
package struct StoreStatistics: Sendable, Hashable {
    package let sessions: Int
    package let traces: Int
    package let devices: Int
    /// The number of records received since the file was created, including those that retention removed.
    package let received: Int
    /// The number of records that retention removed for their age since the file was created.
    package let expired: Int
    /// The number of records that retention removed for the size limit since the file was created.
    package let evicted: Int
    /// The number of bytes of the file that hold data.
    package let bytes: Int
    /// The number of bytes above which the oldest records are removed; 0 without a limit.
    package let bytesLimit: Int
    package let cursor: Int64
    /// The wall clock's lead over the expected time, while the clocks are in doubt and nothing is removed by age.
    package let clockDoubt: Duration?

    package init(
        sessions: Int, traces: Int, devices: Int, received: Int, expired: Int = 0, evicted: Int = 0, bytes: Int,
        bytesLimit: Int, cursor: Int64, clockDoubt: Duration? = nil,
    ) {
        self.sessions = sessions
        self.traces = traces
        self.devices = devices
        self.received = received
        self.expired = expired
        self.evicted = evicted
        self.bytes = bytes
        self.bytesLimit = bytesLimit
        self.cursor = cursor
        self.clockDoubt = clockDoubt
    }
}
