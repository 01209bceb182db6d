public import Foundation

/// The moments at which a ``TimelineView`` is evaluated.
public protocol TimelineSchedule {
    associatedtype Entries: Sequence where Entries.Element == Date

    func entries(from startDate: Date, mode: TimelineScheduleMode) -> Entries
}

/// The rate of a schedule. The phone always shows the normal one.
public enum TimelineScheduleMode: Hashable, Sendable {
    case normal
    case lowFrequency
}

/// Moments at a regular distance.
public struct PeriodicTimelineSchedule: TimelineSchedule, Sendable {
    let start: Date
    let interval: TimeInterval

    public init(from startDate: Date, by interval: TimeInterval) {
        start = startDate
        self.interval = max(interval, 0.001)
    }

    public func entries(from startDate: Date, mode: TimelineScheduleMode) -> some Sequence<Date> {
        let passed = (startDate.timeIntervalSince(start) / interval).rounded(.down)
        return sequence(first: start.addingTimeInterval(passed * interval)) { [interval] in
            $0.addingTimeInterval(interval)
        }
    }
}

/// The beginning of each minute.
public struct EveryMinuteTimelineSchedule: TimelineSchedule, Sendable {
    public init() {}

    public func entries(from startDate: Date, mode: TimelineScheduleMode) -> some Sequence<Date> {
        let minute = (startDate.timeIntervalSinceReferenceDate / 60).rounded(.down) * 60
        return sequence(first: Date(timeIntervalSinceReferenceDate: minute)) { $0.addingTimeInterval(60) }
    }
}

/// Moments that the app lists.
public struct ExplicitTimelineSchedule<Entries: Sequence>: TimelineSchedule where Entries.Element == Date {
    let dates: Entries

    public init(_ dates: Entries) {
        self.dates = dates
    }

    public func entries(from startDate: Date, mode: TimelineScheduleMode) -> Entries { dates }
}

/// The moments of the frames of an animation.
public struct AnimationTimelineSchedule: TimelineSchedule, Sendable {
    let interval: TimeInterval
    let isPaused: Bool

    public init(minimumInterval: TimeInterval? = nil, paused: Bool = false) {
        interval = max(minimumInterval ?? 0, 1 / 60)
        isPaused = paused
    }

    public func entries(from startDate: Date, mode: TimelineScheduleMode) -> some Sequence<Date> {
        sequence(first: startDate) { [interval, isPaused] in isPaused ? nil : $0.addingTimeInterval(interval) }
    }
}

extension TimelineSchedule where Self == PeriodicTimelineSchedule {
    public static func periodic(from startDate: Date, by interval: TimeInterval) -> PeriodicTimelineSchedule {
        PeriodicTimelineSchedule(from: startDate, by: interval)
    }
}

extension TimelineSchedule where Self == EveryMinuteTimelineSchedule {
    public static var everyMinute: EveryMinuteTimelineSchedule { EveryMinuteTimelineSchedule() }
}

extension TimelineSchedule where Self == AnimationTimelineSchedule {
    public static var animation: AnimationTimelineSchedule { AnimationTimelineSchedule() }

    public static func animation(minimumInterval: Double? = nil, paused: Bool = false) -> AnimationTimelineSchedule {
        AnimationTimelineSchedule(minimumInterval: minimumInterval, paused: paused)
    }
}

extension TimelineSchedule {
    public static func explicit<S: Sequence>(_ dates: S) -> ExplicitTimelineSchedule<S>
    where Self == ExplicitTimelineSchedule<S>, S.Element == Date {
        ExplicitTimelineSchedule(dates)
    }
}

/// The moment for which a ``TimelineView`` is evaluated.
public struct TimelineViewDefaultContext: Sendable {
    /// The time between two moments, roughly.
    public enum Cadence: Comparable, Sendable {
        case live
        case seconds
        case minutes
    }

    public let date: Date
    public let cadence: Cadence
}

/// A view that is evaluated at the moments of a schedule, while it is visible.
public struct TimelineView<Schedule: TimelineSchedule, Content: View>: View {
    public typealias Context = TimelineViewDefaultContext

    let schedule: Schedule
    let content: (Context) -> Content
    @State private var date = Date()
    @State private var used = UsedSchedule<Schedule>()

    public init(_ schedule: Schedule, @ViewBuilder content: @escaping (TimelineViewDefaultContext) -> Content) {
        self.schedule = schedule
        self.content = content
    }

    public var body: some View {
        content(Context(date: date, cadence: .live)).task(id: used.generation(of: schedule)) { await run() }
    }

    private func run() async {
        var last: Date?
        for entry in schedule.entries(from: Date(), mode: .normal) {
            let now = Date()
            if entry <= now {
                last = entry
                continue
            }
            if let due = last { date = due }
            last = nil
            try? await Task.sleep(for: .seconds(entry.timeIntervalSince(now)))
            if Task.isCancelled { return }
            date = entry
        }
        if let last { date = last }
    }
}

/// The schedule that a timeline follows, and the number of schedules before it.
private final class UsedSchedule<Schedule> {
    private var schedule: Schedule?
    private var generation = 0

    /// Returns another number than before if the schedule is another one.
    func generation(of new: Schedule) -> Int {
        if let schedule, !ValueEquality.areEqual(schedule, new) { generation += 1 }
        schedule = new
        return generation
    }
}
