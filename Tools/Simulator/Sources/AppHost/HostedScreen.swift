package import AstrolabeDeviceConditions
package import DeviceLink
package import Foundation
package import ViewTree

/// The screen of an app that a device shows and touches. The stand-in for SwiftUI implements it.
@MainActor
package protocol HostedScreen: AnyObject {
    var tree: RenderedTree { get }
    /// The duration of the first frame.
    var firstFrame: Duration { get }
    /// Called after each later frame.
    var onFrame: (@MainActor (HostedFrame) -> Void)? { get set }

    func send(_ event: ViewEvent) -> EventOutcome
    /// Returns the type and the bytes of an image that the tree names; `nil` if there is none.
    func image(_ name: String) -> ResourceReply?
    /// Passes a URL that the system opens in the app to it.
    func open(_ url: URL)
    func apply(_ settings: DeviceSettings)
    func move(to lifecycle: LifecycleState)
}

/// The times of one frame.
package struct HostedFrame: Sendable {
    package var began: Duration
    /// When the display wanted it.
    package var promised: Duration
    package var ended: Duration
    /// Display ticks that passed meanwhile.
    package var missed: Int

    package init(began: Duration, promised: Duration, ended: Duration, missed: Int) {
        self.began = began
        self.promised = promised
        self.ended = ended
        self.missed = missed
    }

    var duration: Duration { ended - began }
}
