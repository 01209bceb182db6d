#if canImport(UIKit) && !os(watchOS)
import QuartzCore
import UIKit

/// Tells a ``FrameMonitor`` of the frames of the main screen, by the display's own link.
///
/// The SDK has one itself where it measures frames.
@MainActor
public final class FrameLink {
    private let monitor: FrameMonitor
    private var link: CADisplayLink?
    private var promise = FramePromise()

    nonisolated public init(_ monitor: FrameMonitor) {
        self.monitor = monitor
    }

    /// Begins to follow the display; does nothing where it does already.
    public func start() {
        guard link == nil else { return }
        let link = CADisplayLink(target: self, selector: #selector(tick))
        link.add(to: .main, forMode: .common)
        self.link = link
    }

    /// Stops, as in the background.
    public func stop() {
        link?.invalidate()
        link = nil
        promise = FramePromise()
    }

    @objc private func tick(_ link: CADisplayLink) {
        guard let frame = promise.call(at: link.timestamp, target: link.targetTimestamp) else { return }
        monitor.record(began: frame.began, promised: frame.promised, ended: frame.ended)
    }
}
#endif
