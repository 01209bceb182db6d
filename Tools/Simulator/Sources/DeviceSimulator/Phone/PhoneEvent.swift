package import DeviceLink
package import ViewTree

/// What those who watch a phone are told, in its order.
package enum PhoneEvent: Sendable {
    case state(PhoneState)
    case screen(RenderedTree)
    case patch(TreePatch)
    case outcome(EventReply)
    case frames(FrameSummary)
    case status(AppStatus)
}

/// The phone at one moment, and what comes after it.
package struct PhoneSubscription: Sendable {
    package let state: PhoneState
    package let screen: RenderedTree?
    package let status: AppStatus?
    /// A watcher that is more than a few hundred items behind loses the oldest.
    package let news: AsyncStream<PhoneEvent>
}
