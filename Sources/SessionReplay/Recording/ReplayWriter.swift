import Astrolabe
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeTelemetryModel

/// A screen as it was read, with its context.
struct RecordedFrame: Sendable {
    var wireframe: Wireframe
    /// The attributes common to all records: the session, the screen's name.
    var ambient: Attributes
    /// Nanoseconds since 1970.
    var timeUnixNano: UInt64
    /// True for the first frame after a pause or of a session.
    var isFirst: Bool
}

/// Masks frames, compares each with the previous one and records differences, off the main actor and in order.
actor ReplayWriter {
    private let events: EventLogger
    private let mask: ReplayMask
    private let id: String
    private let processor: CPUTimeMeter
    private var tape = ReplayTape()
    private var sequence = 0

    init(core: RecordingCore, configuration: ReplayConfiguration, countedBy processor: CPUTimeMeter) {
        events = EventLogger(core: core, scope: ReplayRecorder.scope)
        var mask = ReplayMask(configuration: configuration)
        mask.limits.bytes = min(mask.limits.bytes, core.limits.recordSize * 3 / 4)
        self.mask = mask
        id = core.ids.nextUUID()
        self.processor = processor
    }

    /// True if a frame is held for comparison with the next one.
    var isHolding: Bool { tape.isHolding }

    func write(_ frame: RecordedFrame) {
        processor.measure {
            let wireframe = mask.masked(frame.wireframe)
            let record = tape.record(wireframe, isFirst: frame.isFirst, at: frame.timeUnixNano)
            guard let record else { return }
            var attributes = frame.ambient
            attributes[AttributeKey.astrolabeReplayID] = .string(id)
            attributes[AttributeKey.astrolabeReplaySequence] = .init(sequence)
            attributes.merge(record.attributes)
            sequence += 1
            events.emit(
                earlier: EventName.replay, severity: .debug, attributes: attributes,
                timeUnixNano: frame.timeUnixNano, context: .invalid, priority: .low)
        }
    }

    /// Releases the held frame.
    func release() {
        tape.release()
    }
}
