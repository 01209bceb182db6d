import Dispatch

/// Follows the frames of the display while the app is in front, where the system has a display that tells of them.
final class DisplayFrames: Sendable {
    #if canImport(UIKit) && !os(watchOS)
    private let link: FrameLink

    init(_ monitor: FrameMonitor) {
        link = FrameLink(monitor)
    }

    /// In the order of the calls, from whatever thread, on the main thread.
    func follow(_ isInFront: Bool) {
        DispatchQueue.main.async { [link] in
            MainActor.assumeIsolated { isInFront ? link.start() : link.stop() }
        }
    }
    #else
    init(_ monitor: FrameMonitor) {}

    func follow(_ isInFront: Bool) {}
    #endif
}
