import AstrolabePlatform
package import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeTelemetryModel
import Dispatch

/// Compares frames with their deadlines and reports late ones for each screen.
///
///     telemetry.frames.record(began: tick, promised: tick + interval, ended: now)
///
/// `FrameLink` feeds it on Apple platforms; elsewhere the renderer calls it.
public final class FrameMonitor: Sendable {
    private let core: RecordingCore?
    private let events: EventLogger
    private let durations: Meter.Histogram?
    private let tally = Locked(Tally())
    private let observer = Locked<(@Sendable () -> Void)?>(nil)

    private struct Tally {
        var jank = JankCounter()
        var isTimed = false
        /// The screen of the last frame, and where its durations are counted.
        var current: Current?
        /// The number in `RecordingPeriods` of these frames.
        var period: UInt64 = 0

        /// Forgets frames of another period.
        mutating func enter(_ period: UInt64) {
            guard self.period != period else { return }
            self = Tally()
            self.period = period
        }
    }

    private struct Current {
        /// The attributes that named the screen. Their identity tells whether it may be another one.
        let snapshot: AmbientAttributes.Snapshot
        let screen: JankCounter.Screen
        let durations: Meter.BoundHistogram?
    }

    /// Bucket bounds in seconds: frame times at 120 and 60 Hz, and slow and frozen frames.
    private static let bounds: [Double] = [0.004, 0.0083, 0.0167, 0.033, 0.05, 0.1, 0.25, 0.7, 2]

    /// Creates a monitor that measures no frames and only calls what observes it.
    package convenience init() {
        self.init(core: nil, registry: nil)
    }

    /// A monitor that measures nothing and costs nothing.
    package static let disabled = FrameMonitor(core: nil, registry: nil)

    package init(core: RecordingCore?, registry: MetricRegistry?) {
        self.core = core
        events = EventLogger(core: core, scope: HealthRecorder.scope)
        durations = registry.map { registry in
            Meter(registry: registry, scope: HealthRecorder.scope)
                .histogram(MetricName.frameDuration, unit: "s", bounds: Self.bounds)
        }
    }

    /// Records a frame. All times are on the same monotonic clock.
    ///
    /// - Parameters:
    ///   - began: When work on the frame could begin.
    ///   - promised: The frame's deadline.
    ///   - ended: When the frame was ready.
    public func record(began: Duration, promised: Duration, ended: Duration) {
        // A start is measured by frames, even if the frames themselves are not.
        defer { observer.withLock { $0 }?() }
        guard let core, let period = core.periods.permitted else { return }
        let duration = Self.nanoseconds(ended - began)
        let now = core.clock.now
        let snapshot = core.ambient.snapshot
        let last = tally.withLock { tally in
            tally.enter(period)
            return tally.current
        }
        // Without the lock: attributes are redacted, which may be reported to the app.
        let current = current(in: snapshot, after: last)
        let (reports, isToBeTimed) = tally.withLock { tally in
            tally.enter(period)
            tally.current = current
            let reports = tally.jank.add(
                duration: duration, promised: Self.nanoseconds(promised - began), on: current.screen, at: now)
            let isToBeTimed = tally.jank.isLate && !tally.isTimed
            if isToBeTimed { tally.isTimed = true }
            return (reports, isToBeTimed)
        }
        current.durations?.record(Double(duration) / 1e9)
        report(reports)
        // So that late frames before an idle screen are reported without waiting for another frame.
        if isToBeTimed { closeLater() }
    }

    /// The screen that these attributes name. Looks it up only if they have changed.
    private func current(in snapshot: AmbientAttributes.Snapshot, after last: Current?) -> Current {
        if let last, last.snapshot === snapshot { return last }
        let name = snapshot.attributes[AttributeKey.appScreenName]
        let id = snapshot.attributes[AttributeKey.appScreenID]
        let screen = JankCounter.Screen(name: name?.stringValue, id: id?.stringValue)
        let isSame = last?.screen.name == screen.name
        let attributes: Attributes = name.map { [AttributeKey.appScreenName: $0] } ?? [:]
        let bound = isSame ? last?.durations : nil
        return Current(
            snapshot: snapshot, screen: screen, durations: bound ?? durations?.bound(to: attributes))
    }

    /// Reports late frames immediately, for example when the app leaves the foreground.
    package func close() {
        guard let core, let period = core.periods.permitted else { return }
        report(
            tally.withLock { tally in
                tally.enter(period)
                return tally.jank.close(at: core.clock.now)
            })
    }

    /// Sets a callback that runs after each recorded frame.
    func observe(_ body: @escaping @Sendable () -> Void) {
        observer.withLock { $0 = body }
    }

    private func closeLater() {
        DispatchQueue.global(qos: .utility).asyncAfter(
            deadline: .now() + .nanoseconds(Int(JankCounter.periodLimit))
        ) { [weak self] in
            self?.tally.withLock { $0.isTimed = false }
            self?.close()
        }
    }

    private func report(_ reports: [JankCounter.Report]) {
        guard let core else { return }
        for report in reports {
            var attributes = core.ambient.snapshot.attributes
            attributes[AttributeKey.appScreenName] = report.screen.name.map { .string($0) }
            attributes[AttributeKey.appScreenID] = report.screen.id.map { .string($0) }
            attributes[AttributeKey.appJankFrameCount] = .int(Int64(report.late))
            attributes[AttributeKey.appJankThreshold] = .double(Double(report.threshold) / 1e9)
            attributes[AttributeKey.appJankPeriod] = .double(Double(report.period) / 1e9)
            attributes[AttributeKey.astrolabeJankFrames] = .int(Int64(report.frames))
            attributes[AttributeKey.astrolabeJankLongest] = .double(Double(report.longest) / 1e9)
            events.emit(
                earlier: EventName.appJank, severity: .warn, attributes: attributes, timeUnixNano: core.clock.now,
                context: .invalid, priority: .normal)
        }
    }

    private static func nanoseconds(_ duration: Duration) -> UInt64 {
        let parts = duration.components
        return UInt64(clamping: parts.seconds) &* 1_000_000_000 &+ UInt64(clamping: parts.attoseconds / 1_000_000_000)
    }
}
