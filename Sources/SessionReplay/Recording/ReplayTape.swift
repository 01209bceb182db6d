import AstrolabeTelemetryModel

/// Decides what of each frame is recorded: nothing, what changed, or everything.
///
///     frame:    0   1   2   3       (pause)   4      41
///     record:   K   d   .   d                 K  d…d  K       K: key frame, d: difference, .: nothing changed
struct ReplayTape: Sendable {
    enum Record: Hashable, Sendable {
        case keyFrame(MaskedWireframe)
        case difference(WireframeDifference, isCut: Bool)
    }

    /// Differences after which the next is a key frame, and nanoseconds after one.
    private static let differenceLimit = 40
    private static let keyFrameInterval: UInt64 = 10_000_000_000

    private var last: MaskedWireframe?
    private var differences = 0
    private var keyFrameTime: UInt64 = 0

    /// Whether a frame is held to compare the next with.
    var isHolding: Bool { last != nil }

    /// Gives up the last frame: the next is a key frame.
    mutating func release() {
        last = nil
    }

    /// - Parameters:
    ///   - isFirst: Whether it is the first after a pause, or of a session.
    ///   - time: Nanoseconds, by a clock that does not go back.
    mutating func record(_ wireframe: MaskedWireframe, isFirst: Bool, at time: UInt64) -> Record? {
        guard let last, !isFirst, (last.width, last.height) == (wireframe.width, wireframe.height) else {
            return keyFrame(wireframe, at: time)
        }
        guard let difference = WireframeDifference(from: last, to: wireframe) else { return nil }
        if differences >= Self.differenceLimit || time >= keyFrameTime + Self.keyFrameInterval
            || difference.isNearlyAll(of: wireframe)
        {
            return keyFrame(wireframe, at: time)
        }
        self.last = wireframe
        differences += 1
        return .difference(difference, isCut: wireframe.isCut)
    }

    private mutating func keyFrame(_ wireframe: MaskedWireframe, at time: UInt64) -> Record {
        last = wireframe
        differences = 0
        keyFrameTime = time
        return .keyFrame(wireframe)
    }
}
