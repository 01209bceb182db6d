import ConsoleModel

/// The data that one transaction gathers about a session.
struct SessionWork {
    let name: String
    let id: Int64
    let isNew: Bool
    var tally = CommitTotals()
    var points: Int64 = 0
    var requests: Int64 = 0
    var failedRequests: Int64 = 0
    var deviceRequests: Int64 = 0
    var deviceFailedRequests: Int64 = 0
    var traces: Int64 = 0
    /// The time range of the session's own records from all origins.
    var any = TimeExtent()
    var device = TimeExtent()
    var origin = Origin()
    var screens: [String: Int64] = [:]
    /// The triggers for which the flight recorder sent records, with the time of the first.
    var triggers: [String: Int64] = [:]
    var activity: [Int64: Activity] = [:]
    var lastSeq: Int64 = 0

    struct Activity {
        var records: Int64 = 0
        var errors: Int64 = 0
    }

    /// The length of one activity bucket in nanoseconds: 1 s, so that the longest session, 4 hours, has 14,400 buckets.
    static let bucketNanoseconds: Int64 = 1_000_000_000

    /// The resource that describes the session's device and app: a device before other origins, then the latest.
    struct Origin {
        var rank: Int64 = -1
        var time: Int64 = -1
        var tie: Int64 = 0
        var resource: Int64 = 0

        static func < (left: Origin, right: Origin) -> Bool {
            (left.rank, left.time, left.tie) < (right.rank, right.time, right.tie)
        }
    }

    var isTouched: Bool { lastSeq > 0 }

    /// Records the time and origin of one of the session's own records.
    mutating func note(start: Int64, end: Int64, resource: ResolvedResource, seq: Int64) {
        lastSeq = seq
        any.include(start)
        any.include(end)
        if resource.side == .device {
            device.include(start)
            device.include(end)
        }
        let candidate = Origin(
            rank: Int64(resource.side.rawValue), time: end, tie: resource.tie, resource: resource.id,
        )
        if origin < candidate { origin = candidate }
    }

    /// Adds a span. Its error marks the activity, and ``TransactionWork/countFailure(_:in:session:seq:)`` counts it.
    mutating func add(
        _ span: PreparedBatch.SpanRow, screen: String?, trigger: String?, resource: ResolvedResource, seq: Int64,
    ) {
        note(start: span.start, end: span.start &+ span.duration, resource: resource, seq: seq)
        tally += CommitTotals(spans: 1)
        if span.category == .request {
            requests += 1
            failedRequests += span.isFailedRequest ? 1 : 0
            if resource.side == .device {
                deviceRequests += 1
                deviceFailedRequests += span.isFailedRequest ? 1 : 0
            }
        }
        visit(screen, at: span.start)
        promote(trigger, at: span.start)
        addActivity(at: span.start, isError: span.status == 2)
    }

    mutating func add(
        _ log: PreparedBatch.LogRow, screen: String?, trigger: String?, resource: ResolvedResource, seq: Int64,
    ) {
        note(start: log.time, end: log.time, resource: resource, seq: seq)
        let counted = log.tally
        tally += counted
        visit(screen, at: log.time)
        promote(trigger, at: log.time)
        addActivity(at: log.time, isError: counted.errors + counted.crashes > 0)
    }

    mutating func add(_ point: PreparedBatch.PointRow, resource: ResolvedResource, seq: Int64) {
        note(start: point.time, end: point.time, resource: resource, seq: seq)
        points += 1
    }

    /// Extends the session's time by a replay frame. Frames are not counted, because four per second would hide all
    /// others.
    mutating func add(_ replay: PreparedBatch.ReplayRow, screen: String?, resource: ResolvedResource, seq: Int64) {
        note(start: replay.time, end: replay.time, resource: resource, seq: seq)
        visit(screen, at: replay.time)
    }

    private mutating func visit(_ screen: String?, at time: Int64) {
        guard let screen else { return }
        screens[screen] = min(screens[screen] ?? Schema.never, time)
    }

    private mutating func promote(_ trigger: String?, at time: Int64) {
        guard let trigger else { return }
        triggers[trigger] = min(triggers[trigger] ?? Schema.never, time)
    }

    private mutating func addActivity(at time: Int64, isError: Bool) {
        guard time > 0 else { return }
        let bucket = time / Self.bucketNanoseconds
        activity[bucket, default: Activity()].records += 1
        if isError { activity[bucket, default: Activity()].errors += 1 }
    }
}

/// A resource of a batch with its number in the database.
struct ResolvedResource {
    let id: Int64
    let side: OriginSide
    /// A tie-breaker for resources with the same time that does not depend on the order of arrival.
    let tie: Int64
    /// `nil` without an `app.installation.id`.
    let phone: PhoneName?
}
