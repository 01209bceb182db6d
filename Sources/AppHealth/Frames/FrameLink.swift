#if canImport(UIKit) && !os(watchOS)
import QuartzCore
import UIKit

/// Reports the frames of the main screen to a ``FrameMonitor`` with a display link.
///
/// The SDK creates one itself if it measures frames.
@MainActor
public final class FrameLink {
    private let monitor: FrameMonitor
    private var link: CADisplayLink?
    private var deadlines = FrameDeadline()

    nonisolated public init(_ monitor: FrameMonitor) {
        self.monitor = monitor
    }

    /// Starts to observe the display; does nothing if it already does.
    public func start() {
        guard link == nil else { return }
        let link = CADisplayLink(target: self, selector: #selector(tick))
        link.add(to: .main, forMode: .common)
        self.link = link
    }

    /// Stops observing the display, for example in the background.
    public func stop() {
        link?.invalidate()
        link = nil
        deadlines = FrameDeadline()
    }

    @objc private func tick(_ link: CADisplayLink) {
        guard let frame = deadlines.call(at: link.timestamp, target: link.targetTimestamp) else { return }
        monitor.record(began: frame.began, promised: frame.promised, ended: frame.ended)
    }
}
#endif
