/// The timing of a frame.
package struct FrameRecord: Hashable, Sendable {
    package let number: Int
    /// When work on it could start: at an animation's tick, or at the change.
    package let began: Duration
    /// When it was due.
    package let promised: Duration
    package let ended: Duration
    /// The number of bodies evaluated for it.
    package let evaluations: Int
    /// The ticks of an animation without a frame, because the frame before was late.
    package let missed: Int

    /// The time that the user waited for it.
    package var duration: Duration { ended - began }
    package var isLate: Bool { ended > promised }
}
