import Dispatch

/// Measures the display's frames while the app is in the foreground, on systems that report them.
final class DisplayFrames: Sendable {
    #if canImport(UIKit) && !os(watchOS)
    private let link: FrameLink

    init(_ monitor: FrameMonitor) {
        link = FrameLink(monitor)
    }

    /// Starts or stops measuring, from any thread. Calls take effect on the main thread in their order.
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
