#if canImport(UIKit) && !os(watchOS)
import QuartzCore
import UIKit

/// Reports the frames of the main screen to a ``FrameMonitor`` with a display link.
///
/// The SDK creates one itself if it measures frames. The link pauses while nothing moves.
@MainActor
public final class FrameLink {
    private let monitor: FrameMonitor
    private var link: CADisplayLink?
    private var deadlines = FrameDeadline()
    private var pace = DisplayRefreshRate()
    /// Sees the passes of the main run loop.
    private var observer: CFRunLoopObserver?
    private var passBegan: Double?

    nonisolated public init(_ monitor: FrameMonitor) {
        self.monitor = monitor
    }

    /// Starts to observe the display; does nothing if it already does.
    public func start() {
        guard link == nil else { return }
        let link = CADisplayLink(target: self, selector: #selector(tick))
        link.add(to: .main, forMode: .common)
        self.link = link
        let activities: CFRunLoopActivity = [.afterWaiting, .beforeWaiting]
        observer = CFRunLoopObserverCreateWithHandler(nil, activities.rawValue, true, .max) { [weak self] _, activity in
            MainActor.assumeIsolated { self?.follow(activity) }
        }
        CFRunLoopAddObserver(CFRunLoopGetMain(), observer, .commonModes)
    }

    /// Stops observing the display, for example in the background.
    public func stop() {
        link?.invalidate()
        link = nil
        if let observer { CFRunLoopObserverInvalidate(observer) }
        observer = nil
        (deadlines, pace, passBegan) = (FrameDeadline(), DisplayRefreshRate(), nil)
    }

    @objc private func tick(_ link: CADisplayLink) {
        if let frame = deadlines.call(at: link.timestamp, target: link.targetTimestamp) { record(frame) }
        perform(pace.tick(interval: link.targetTimestamp - link.timestamp))
    }

    private func follow(_ activity: CFRunLoopActivity) {
        let now = CACurrentMediaTime()
        guard activity == .beforeWaiting else {
            passBegan = now
            return
        }
        if let passBegan { perform(pace.pass(from: passBegan, to: now)) }
        passBegan = nil
    }

    private func perform(_ action: DisplayRefreshRate.Action) {
        switch action {
        case .none: break
        case .pause:
            link?.isPaused = true
            deadlines = FrameDeadline()
        case .resume(let frame):
            record(frame)
            link?.isPaused = false
        }
    }

    private func record(_ frame: FrameDeadline.Frame) {
        monitor.record(began: frame.began, promised: frame.promised, ended: frame.ended)
    }
}
#endif
