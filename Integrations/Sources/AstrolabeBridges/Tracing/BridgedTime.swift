import AstrolabePlatform
import AstrolabeRecording
import Tracing

/// Instants of swift-distributed-tracing on the clock of our spans.
///
/// Its default clock is the wall clock, which people and the network may set while a span runs; ours is anchored. An
/// instant of the default clock is taken by how long ago it was. One of another clock is a test's or a simulation's,
/// and is taken as it is.
struct BridgedTime: Sendable {
    private let clock: TelemetryClock

    init(_ tracer: AstrolabeRecording.Tracer) {
        clock = tracer.core?.clock ?? .anchored()
    }

    func nanoseconds(of instant: some TracerInstant) -> UInt64 {
        let nanoseconds = instant.nanosecondsSinceEpoch
        return instant is DefaultTracerClock.Timestamp ? self.nanoseconds(ofDefaultClock: nanoseconds) : nanoseconds
    }

    func nanoseconds(ofDefaultClock nanoseconds: UInt64) -> UInt64 {
        clock.now &- (DefaultTracerClock.now.nanosecondsSinceEpoch &- nanoseconds)
    }
}
