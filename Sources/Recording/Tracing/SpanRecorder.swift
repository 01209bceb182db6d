import AstrolabePlatform
public import AstrolabeTelemetryModel
import Atomics
import CAstrolabeCrashCapture

/// The object behind a span. By itself it has a context to pass on and records nothing; `SpanRecorder` is the one that
/// does.
@usableFromInline
class SpanHandle: ContextHolder, @unchecked Sendable {  // immutable; `SpanRecorder` says how it guards what it adds
    final let context: SpanContext
    /// The number in `RecordingPeriods` of its start: it is stored, and has children, only in the same period.
    final let period: UInt64
    /// True for a `SpanRecorder`.
    @usableFromInline final let isRecorded: Bool

    /// The period of a span of another process.
    static var anyPeriod: UInt64 { .max }

    init(context: SpanContext, period: UInt64 = SpanHandle.anyPeriod, isRecorded: Bool = false) {
        self.context = context
        self.period = period
        self.isRecorded = isRecorded
        super.init()
    }

    /// Returns true if it began before a refusal that the period with this number follows.
    final func isOf(before period: UInt64) -> Bool { self.period != period && self.period != Self.anyPeriod }

    override final var span: SpanHandle? { self }
    override final var telemetry: TelemetryContext {
        TelemetryContext(activeSpan: Tracer.Span(self), baggage: Baggage())
    }

    @usableFromInline
    func setAttribute(_ key: String, _ value: AttributeValue) {}

    final var recorder: SpanRecorder? { isRecorded ? unsafeDowncast(self, to: SpanRecorder.self) : nil }
}

/// The mutable half of a span, for all threads.
///
///     one block of memory:
///     0      8       16     32                                      1024
///     +------+-------+------+-------+---------------------------------+
///     | gate | ended | head | draft | the draft's fields ...          |  -> a larger buffer where they outgrow it
///     +------+-------+------+-------+---------------------------------+
///
/// The head tells a crash handler where the fields are.
@usableFromInline
final class SpanRecorder: SpanHandle, @unchecked Sendable {  // `gate` admits one thread at a time to `draft`
    let core: RecordingCore
    /// The clock's offset at the start of the trace's part in this process: it holds for all times of these spans.
    let clockOffset: UInt64
    let scope: ScopeNumber
    let kind: SpanKind
    private let gate: CombiningGate<SpanOperation>
    private let ended: UnsafeAtomic<Bool>
    private let head: UnsafeMutablePointer<astrolabe_open_span>
    private let draft: UnsafeMutablePointer<SpanEncoder>
    private let block: UnsafeMutableRawPointer

    private static let blockSize = Int(ASTROLABE_SPAN_BLOCK)
    private static let headOffset = 16
    private static let draftOffset = 32

    init(
        core: RecordingCore, scope: ScopeNumber, name: String, context: SpanContext, parent: SpanID,
        parentIsRemote: Bool, kind: SpanKind, period: UInt64, startTimeUnixNano: UInt64?, clockOffset: UInt64,
    ) {
        self.core = core
        self.clockOffset = clockOffset
        self.scope = scope
        self.kind = kind
        block = astrolabe_take_span_block() ?? .allocate(byteCount: Self.blockSize, alignment: 8)
        gate = CombiningGate(at: block)
        let flag = (block + 8).bindMemory(to: UnsafeAtomic<Bool>.Storage.self, capacity: 1)
        flag.initialize(to: .init(false))
        ended = UnsafeAtomic(at: flag)
        head = (block + Self.headOffset).bindMemory(to: astrolabe_open_span.self, capacity: 1)
        draft = (block + Self.draftOffset).bindMemory(to: SpanEncoder.self, capacity: 1)
        let fieldsOffset = Self.draftOffset + MemoryLayout<SpanEncoder>.stride
        draft.initialize(
            to: SpanEncoder(
                name: name, context: context, parent: parent, parentIsRemote: parentIsRemote, kind: kind,
                startTimeUnixNano: startTimeUnixNano ?? core.clock.time(offset: clockOffset),
                core: core, memory: block + fieldsOffset, capacity: Self.blockSize - fieldsOffset))
        let fields = draft.pointee.bytes
        head.initialize(
            to: astrolabe_open_span(
                fields: fields.baseAddress, size: UInt32(truncatingIfNeeded: fields.count), scope: scope.rawValue,
                place: UInt16(ASTROLABE_NO_PLACE)))
        super.init(context: context, period: period, isRecorded: true)
        astrolabe_open_span_begin(head, context.spanID.value)
    }

    deinit {
        astrolabe_open_span_end(head)
        draft.pointee.deallocate()
        draft.deinitialize(count: 1)
        if !astrolabe_keep_span_block(block) { block.deallocate() }
    }

    @usableFromInline
    override func setAttribute(_ key: String, _ value: AttributeValue) {
        guard isRecording else { return }
        change(.attribute(key: key, value)) { $0.setAttribute(key, value, core: core) }
    }

    /// Nanoseconds since 1970, on the clock of the span's start.
    var now: UInt64 { core.clock.time(offset: clockOffset) }

    func record(_ operation: SpanOperation) {
        guard isRecording else { return }
        change(operation) { perform(operation, on: &$0) }
    }

    /// Ends the span: what comes later has no effect, even while another thread performs the end.
    ///
    /// - Parameters:
    ///   - given: A time that may be any other than now; `nil` for now.
    ///   - priority: That of the record unless its status is an error.
    func end(at given: UInt64?, priority: Priority = .normal) {
        ended.store(true, ordering: .relaxed)
        let (time, isGiven) = (given ?? now, given != nil)
        change(.end(timeUnixNano: time, isGiven: isGiven, priority)) {
            finish(&$0, at: time, isGiven: isGiven, priority)
        }
    }

    private func finish(
        _ draft: inout SpanEncoder, at timeUnixNano: UInt64, isGiven: Bool, _ priority: Priority,
    ) {
        LockRule.checkCall("recording a span")
        // Before the record is stored: a crash in between must not report the span as open too.
        astrolabe_open_span_end(head)
        draft.finish(
            at: timeUnixNano, isGiven: isGiven, core: core, scope: scope, period: period, priority: priority)
    }

    var isRecording: Bool { !ended.load(ordering: .relaxed) }

    /// False once consent has been refused after its start: then it is neither stored nor named.
    var isOfCurrentPeriod: Bool { core.periods.number == period }

    /// Changes the draft now, or leaves the operation to the thread that is at it.
    @inline(__always)
    private func change(_ operation: @autoclosure () -> SpanOperation, _ body: (inout SpanEncoder) -> Void) {
        if gate.enter() {
            body(&draft.pointee)
            noteFields()
            if !gate.leave() { gate.performPending(perform) }
        } else {
            gate.submit(operation(), perform)
        }
    }

    private func perform(_ operation: SpanOperation) {
        perform(operation, on: &draft.pointee)
        noteFields()
    }

    @inline(__always)
    private func noteFields() {
        let fields = draft.pointee.bytes
        head.pointee.fields = fields.baseAddress
        head.pointee.size = UInt32(truncatingIfNeeded: fields.count)
    }

    private func perform(_ operation: SpanOperation, on draft: inout SpanEncoder) {
        guard !draft.isFinished else { return }
        switch operation {
        case .attribute(let key, let value): draft.setAttribute(key, value, core: core)
        case .removal(let key): draft.removeAttribute(key, core: core)
        case .event(let event): draft.addEvent(event, core: core)
        case .link(let link): draft.addLink(link, core: core)
        case .name(let name): draft.setName(name, core: core)
        case .status(let status): draft.setStatus(status, core: core)
        case .end(let time, let isGiven, let priority): finish(&draft, at: time, isGiven: isGiven, priority)
        }
    }
}

/// An operation on a span after its start.
enum SpanOperation: Sendable {
    case attribute(key: String, AttributeValue)
    case removal(key: String)
    case event(SpanEvent)
    case link(SpanLink)
    case name(String)
    case status(SpanStatus)
    case end(timeUnixNano: UInt64, isGiven: Bool, Priority)
}
