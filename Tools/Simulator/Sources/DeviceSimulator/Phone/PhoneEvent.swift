package import DeviceLink
package import ViewTree

/// A change of the phone that subscribers receive.
package enum PhoneEvent: Sendable {
    case state(PhoneState)
    case screen(RenderedTree)
    case patch(TreePatch)
    case outcome(EventReply)
    case frames(FrameSummary)
    case status(AppStatus)
    /// Lines that the app has written.
    case output([String])
}

/// The state of the phone at the start of a subscription, and a stream of later events.
package struct PhoneSubscription: Sendable {
    package let state: PhoneState
    package let screen: RenderedTree?
    package let status: AppStatus?
    package let output: [String]
    /// The events in order. A subscriber that is more than 512 events behind loses the oldest.
    package let events: AsyncStream<PhoneEvent>
}
