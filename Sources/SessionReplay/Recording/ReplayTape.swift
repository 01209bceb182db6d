import AstrolabeTelemetryModel

/// Decides what is recorded for each frame: nothing, the difference, or a key frame.
///
///     frame:    0   1   2   3       (pause)   4      41
///     record:   K   d   .   d                 K  d…d  K       K: key frame, d: difference, .: nothing changed
struct ReplayTape: Sendable {
    enum Record: Hashable, Sendable {
        case keyFrame(MaskedWireframe)
        case difference(WireframeDifference, isCut: Bool)
    }

    /// The number of differences and the nanoseconds after which a key frame follows.
    private static let differenceLimit = 40
    private static let keyFrameInterval: UInt64 = 10_000_000_000

    private var last: MaskedWireframe?
    private var differences = 0
    private var keyFrameTime: UInt64 = 0

    /// True if a frame is held for comparison with the next one.
    var isHolding: Bool { last != nil }

    /// Releases the last frame, so that the next one is a key frame.
    mutating func release() {
        last = nil
    }

    /// Returns the record of a frame; `nil` if nothing changed.
    ///
    /// - Parameters:
    ///   - wireframe: The masked frame.
    ///   - isFirst: Whether it is the first after a pause or of a session.
    ///   - time: Nanoseconds on a monotonic clock.
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
