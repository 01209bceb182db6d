/// How one frame was made.
package struct FrameRecord: Hashable, Sendable {
    package let number: Int
    /// When work on it could begin: an animation's tick, or the change itself.
    package let began: Duration
    /// When it was to be ready.
    package let promised: Duration
    package let ended: Duration
    /// Bodies that were evaluated for it.
    package let evaluations: Int
    /// Ticks of an animation that went by without a frame, because the frame before was late.
    package let missed: Int

    /// What a person waited for it.
    package var duration: Duration { ended - began }
    package var isLate: Bool { ended > promised }
}
