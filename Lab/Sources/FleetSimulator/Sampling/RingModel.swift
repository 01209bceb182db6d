/// The flight recorder's ring, by arithmetic: what it still has, and its budgets of an hour and a day.
///
/// Segments are overwritten as a whole. One of them is always empty, for the records that come next. Each run has a
/// ring of its own. Those of previous runs are kept until a start has reported how they ended, and while the session
/// goes on: their newest records, as many as one ring holds.
struct RingModel: Sendable {
    /// A place in the ring of a run.
    struct Place: Sendable {
        var run: Int32 = 0
        var segment: Int32 = 0
    }

    private let limits: RecorderLimits
    /// The segments that hold records.
    private let kept: Int
    private(set) var run = 0
    private var position = 0
    /// The last places of the previous runs whose rings are kept, oldest first.
    private var previous: [Place] = []
    private var hour = (number: -1, bytes: 0)
    private var day = (number: -1, bytes: 0)
    /// False if the ring has written its bytes of this hour.
    private(set) var isWithinHour = true
    /// The bytes written, in all runs.
    private(set) var written = 0

    /// Seconds since midnight UTC at which the simulation begins.
    private static let start = DayModel.startHour * 3_600

    init(_ limits: RecorderLimits) {
        self.limits = limits
        kept = max(limits.capacity / limits.segmentBytes, 8) - 1
    }

    private var segment: Int { position / limits.segmentBytes }

    /// Begins a run; the rings of those before are kept until `forgetPrevious`.
    mutating func begin() {
        if position > 0 { previous.append(Place(run: Int32(run), segment: Int32(segment))) }
        run += 1
        position = 0
        hour = (-1, 0)
        isWithinHour = true
    }

    mutating func forgetPrevious() { previous = [] }

    mutating func append(_ bytes: Int) -> Place {
        position += bytes
        written += bytes
        return Place(run: Int32(run), segment: Int32(segment))
    }

    /// Returns true if what was written there is not overwritten, and its ring is not gone.
    func holds(_ place: Place) -> Bool {
        if Int(place.run) == run { return Int(place.segment) > segment - kept }
        guard let index = previous.firstIndex(where: { $0.run == place.run }) else { return false }
        let newer = previous[(index + 1)...].reduce(0) { $0 + min(Int($1.segment) + 1, kept) }
        return Int(place.segment) > Int(previous[index].segment) + newer - kept
    }

    /// Compares what was written with the budget of the hour, as each flush does.
    mutating func followHour(at time: Double) {
        let (number, begun) = (Int((Self.start + time) / 3_600), (segment + 1) * limits.segmentBytes)
        if hour.number < 0 { hour = (number, 0) }
        if hour.number != number { hour = (number, begun) }
        isWithinHour = begun - hour.bytes <= limits.hourlyBytes
    }

    /// Takes bytes from the budget of the day; returns false if it has no room for them.
    mutating func spend(_ bytes: Int, at time: Double) -> Bool {
        let number = Int((Self.start + time) / 86_400)
        if day.number != number { day = (number, 0) }
        guard day.bytes + bytes <= limits.dailyBytes else { return false }
        day.bytes += bytes
        return true
    }
}
