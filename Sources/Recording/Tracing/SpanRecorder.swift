public import AstrolabeTelemetryModel
import Atomics

/// The mutable half of a span, for all threads.
///
///     one block of memory:
///     0      8       16                                      1024
///     +------+-------+-------+---------------------------------+
///     | gate | ended | draft | the draft's fields ...          |  -> a larger buffer where they outgrow it
///     +------+-------+-------+---------------------------------+
@usableFromInline
final class SpanRecorder: SpanHandle, @unchecked Sendable {  // `gate` admits one thread at a time to `draft`
    let core: RecordingCore
    private let scope: ScopeNumber
    private let gate: CombiningGate<SpanOperation>
    private let ended: UnsafeAtomic<Bool>
    private let draft: UnsafeMutablePointer<SpanEncoder>
    private let block: UnsafeMutableRawPointer

    private static let blockSize = 1_024
    private static let draftOffset = 16

    init(
        core: RecordingCore, scope: ScopeNumber, name: String, context: SpanContext, parent: SpanID,
        parentIsRemote: Bool, kind: SpanKind, startTimeUnixNano: UInt64,
    ) {
        self.core = core
        self.scope = scope
        block = .allocate(byteCount: Self.blockSize, alignment: 8)
        gate = CombiningGate(at: block)
        let flag = (block + 8).bindMemory(to: UnsafeAtomic<Bool>.Storage.self, capacity: 1)
        flag.initialize(to: .init(false))
        ended = UnsafeAtomic(at: flag)
        draft = (block + Self.draftOffset).bindMemory(to: SpanEncoder.self, capacity: 1)
        let fieldsOffset = Self.draftOffset + MemoryLayout<SpanEncoder>.stride
        draft.initialize(
            to: SpanEncoder(
                name: name, context: context, parent: parent, parentIsRemote: parentIsRemote, kind: kind,
                startTimeUnixNano: startTimeUnixNano, ambient: core.ambient, memory: block + fieldsOffset,
                capacity: Self.blockSize - fieldsOffset, ))
        super.init(context: context)
    }

    deinit {
        draft.pointee.deallocate()
        draft.deinitialize(count: 1)
        block.deallocate()
    }

    @usableFromInline
    override func setAttribute(_ key: String, _ value: AttributeValue) {
        guard isRecording else { return }
        change(.attribute(key: key, value)) { $0.setAttribute(key, value, core: core) }
    }

    override var recorder: SpanRecorder? { self }

    func record(_ operation: SpanOperation) {
        guard isRecording else { return }
        change(operation) { perform(operation, on: &$0) }
    }

    /// Ends the span: what comes later has no effect, even while another thread performs the end.
    ///
    /// - Parameter priority: That of the record unless its status is an error.
    func end(at timeUnixNano: UInt64, priority: Priority = .normal) {
        ended.store(true, ordering: .relaxed)
        change(.end(timeUnixNano: timeUnixNano, priority)) {
            $0.finish(at: timeUnixNano, core: core, scope: scope, priority: priority)
        }
    }

    var isRecording: Bool { !ended.load(ordering: .relaxed) }

    /// Changes the draft now, or leaves the operation to the thread that is at it.
    @inline(__always)
    private func change(_ operation: @autoclosure () -> SpanOperation, _ body: (inout SpanEncoder) -> Void) {
        if gate.enter() {
            body(&draft.pointee)
            if !gate.leave() { gate.performPending(perform) }
        } else {
            gate.submit(operation(), perform)
        }
    }

    private func perform(_ operation: SpanOperation) {
        perform(operation, on: &draft.pointee)
    }

    private func perform(_ operation: SpanOperation, on draft: inout SpanEncoder) {
        guard !draft.isFinished else { return }
        switch operation {
        case .attribute(let key, let value): draft.setAttribute(key, value, core: core)
        case .event(let event): draft.addEvent(event, core: core)
        case .link(let link): draft.addLink(link, core: core)
        case .name(let name): draft.setName(name)
        case .status(let status): draft.setStatus(status, core: core)
        case .end(let time, let priority): draft.finish(at: time, core: core, scope: scope, priority: priority)
        }
    }
}

/// What can be done to a span after its start.
enum SpanOperation: Sendable {
    case attribute(key: String, AttributeValue)
    case event(SpanEvent)
    case link(SpanLink)
    case name(String)
    case status(SpanStatus)
    case end(timeUnixNano: UInt64, Priority)
}
