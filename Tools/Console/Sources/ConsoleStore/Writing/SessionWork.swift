/// What one transaction learns about one session.
struct SessionWork {
    let name: String
    let id: Int64
    let isNew: Bool
    var tally = Tally()
    var points: Int64 = 0
    var requests: Int64 = 0
    var failedRequests: Int64 = 0
    var deviceRequests: Int64 = 0
    var deviceFailedRequests: Int64 = 0
    var traces: Int64 = 0
    /// Times of the session's own records: all of them, and the device's alone, whose clock is the person's.
    var any = TimeRange()
    var device = TimeRange()
    var origin = Origin()
    var screens: [String: Int64] = [:]
    var activity: [Int64: Activity] = [:]
    var lastSeq: Int64 = 0

    struct Activity {
        var records: Int64 = 0
        var errors: Int64 = 0
    }

    /// Nanoseconds of one bucket of activity: a second, so that the longest session, 4 hours, has at most 14,400.
    static let bucketNanoseconds: Int64 = 1_000_000_000

    /// The resource that says what device and app the session ran on: a device's before another's, then the latest.
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

    /// Takes note of when and where a record of the session's own came from.
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

    mutating func add(_ span: PreparedBatch.SpanRow, screen: String?, resource: ResolvedResource, seq: Int64) {
        note(start: span.start, end: span.start &+ span.duration, resource: resource, seq: seq)
        let isError = span.status == 2
        tally += Tally(spans: 1, errors: isError ? 1 : 0)
        if span.category == .request {
            requests += 1
            failedRequests += span.isFailedRequest ? 1 : 0
            if resource.side == .device {
                deviceRequests += 1
                deviceFailedRequests += span.isFailedRequest ? 1 : 0
            }
        }
        visit(screen, at: span.start)
        addActivity(at: span.start, isError: isError)
    }

    mutating func add(_ log: PreparedBatch.LogRow, screen: String?, resource: ResolvedResource, seq: Int64) {
        note(start: log.time, end: log.time, resource: resource, seq: seq)
        let counted = log.tally
        tally += counted
        visit(screen, at: log.time)
        addActivity(at: log.time, isError: counted.errors + counted.crashes > 0)
    }

    mutating func add(_ point: PreparedBatch.PointRow, resource: ResolvedResource, seq: Int64) {
        note(start: point.time, end: point.time, resource: resource, seq: seq)
        points += 1
    }

    /// A frame of the replay widens the session's time and counts for nothing else: four a second would drown the rest.
    mutating func add(_ replay: PreparedBatch.ReplayRow, screen: String?, resource: ResolvedResource, seq: Int64) {
        note(start: replay.time, end: replay.time, resource: resource, seq: seq)
        visit(screen, at: replay.time)
    }

    private mutating func visit(_ screen: String?, at time: Int64) {
        guard let screen else { return }
        screens[screen] = min(screens[screen] ?? Schema.never, time)
    }

    private mutating func addActivity(at time: Int64, isError: Bool) {
        guard time > 0 else { return }
        let bucket = time / Self.bucketNanoseconds
        activity[bucket, default: Activity()].records += 1
        if isError { activity[bucket, default: Activity()].errors += 1 }
    }
}

/// A resource of a batch with its place in the database.
struct ResolvedResource {
    let id: Int64
    let side: OriginSide
    /// Orders resources of the same time in the same way whichever arrived first.
    let tie: Int64
}
