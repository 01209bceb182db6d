#if canImport(UIKit) && !os(watchOS)
import QuartzCore
import UIKit

/// Tells a ``FrameMonitor`` of the frames of the main screen, by the display's own link.
@MainActor
public final class FrameLink {
    private let monitor: FrameMonitor
    private var link: CADisplayLink?
    private var last: CFTimeInterval?

    public init(_ monitor: FrameMonitor) {
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
        last = nil
    }

    /// A frame lasts from one call to the next; it was promised for the time that the link told at the first.
    @objc private func tick(_ link: CADisplayLink) {
        defer { last = link.timestamp }
        guard let last else { return }
        let promised = last + (link.targetTimestamp - link.timestamp)
        monitor.record(began: .seconds(last), promised: .seconds(promised), ended: .seconds(link.timestamp))
    }
}
#endif
