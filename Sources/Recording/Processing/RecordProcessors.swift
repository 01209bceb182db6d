import AstrolabePlatform
import AstrolabeTelemetryModel
import Atomics

/// The app's processors between its records and their storage, in the order in which they run.
///
/// A core without any has no object of this type: one check for `nil` at the start and at the end of a span is all that
/// it costs then.
package final class RecordProcessors: Sendable {
    package typealias BeforeSend = @Sendable (inout OutgoingRecord) -> Bool

    private let span: [any SpanProcessor]
    private let log: [any LogRecordProcessor]
    private let beforeSend: [BeforeSend]
    private let filtered: UnsafeAtomic<Int>

    /// True while a processor runs, for what it records itself.
    @TaskLocal private static var isRunning = false

    /// Returns `nil` if there is none.
    package init?(
        span: [any SpanProcessor] = [], log: [any LogRecordProcessor] = [], beforeSend: [BeforeSend] = [],
    ) {
        guard !(span.isEmpty && log.isEmpty && beforeSend.isEmpty) else { return nil }
        self.span = span
        self.log = log
        self.beforeSend = beforeSend
        filtered = .create(0)
    }

    deinit {
        filtered.destroy()
    }

    /// Counts the records that `beforeSend` has dropped.
    package var filteredCount: Int { filtered.load(ordering: .relaxed) }

    func start(_ span: Tracer.Span, parent: SpanContext?) {
        guard !self.span.isEmpty, !Self.isRunning else { return }
        LockRule.checkCall("calling a span processor")
        Self.$isRunning.withValue(true) {
            for processor in self.span { processor.onStart(span, parent: parent) }
        }
    }

    func end(_ span: FinishedSpan) {
        guard !self.span.isEmpty, !Self.isRunning else { return }
        LockRule.checkCall("calling a span processor")
        Self.$isRunning.withValue(true) {
            for processor in self.span { processor.onEnd(span) }
        }
    }

    /// Returns the span as it is to be stored, or `nil` if it is not.
    func filter(_ span: FinishedSpan) -> FinishedSpan? {
        guard let record = filter(.span(span)) else { return nil }
        return if case .span(let new) = record { new } else { span }
    }

    /// Returns the record as it is to be stored, or `nil` if it is not.
    func process(_ record: LogRecord) -> LogRecord? {
        var record = record
        if !log.isEmpty, !Self.isRunning {
            LockRule.checkCall("calling a log record processor")
            Self.$isRunning.withValue(true) {
                for processor in log { processor.onEmit(&record) }
            }
        }
        guard let outgoing = filter(.log(record)) else { return nil }
        return if case .log(let new) = outgoing { new } else { record }
    }

    private func filter(_ record: OutgoingRecord) -> OutgoingRecord? {
        guard !beforeSend.isEmpty, !Self.isRunning else { return record }
        LockRule.checkCall("calling beforeSend")
        var record = record
        let isKept = Self.$isRunning.withValue(true) { beforeSend.allSatisfy { $0(&record) } }
        if isKept { return record }
        filtered.wrappingIncrement(ordering: .relaxed)
        return nil
    }
}

extension RecordingCore {
    /// Stores a span that has ended, if processors or a sampler of the app take part.
    ///
    /// - Parameter isStored: False if only processors are to see it.
    @inline(never)
    func finish(_ bytes: UnsafeRawBufferPointer, header: RecordHeader, period: UInt64, isStored: Bool) {
        let span = FinishedSpan(bytes, scope: header.scope, scopes: scopes)
        processors?.end(span)
        if isStored { store(span, header: header, period: period) }
    }

    /// Stores the record of a span that ended in an earlier run.
    func store(_ bytes: UnsafeRawBufferPointer, header: RecordHeader) {
        guard let period = periods.permitted else { return }
        guard processors != nil else { return sink.append(bytes, header: header) }
        store(FinishedSpan(bytes, scope: header.scope, scopes: scopes), header: header, period: period)
    }

    /// - Parameter period: The number of the period to which it belongs. A processor may return after a refusal.
    private func store(_ span: FinishedSpan, header: RecordHeader, period: UInt64) {
        guard var span = processors.map({ $0.filter(span) }) ?? span, periods.number == period else { return }
        var header = header
        if !span.changed.isEmpty {
            span.admit(in: self)
            if span.status.isError { header.priority = max(header.priority, .high) }
        }
        span.encoded.withUnsafeBytes { sink.append($0, header: header) }
    }

    /// Stores a log record that is complete except for its end, as processors leave it.
    ///
    /// - Parameter period: The number of the period to which it belongs. A processor may return after a refusal.
    func store(_ record: inout LogRecordEncoder, header: RecordHeader, period: UInt64) {
        guard let processors else { return append(&record, header: header, period: period) }
        let given = LogRecord(record.bytes, scope: header.scope, scopes: scopes)
        guard let new = processors.process(given) else { return }
        guard new.isChanged else { return append(&record, header: header, period: period) }
        let own = ambient.snapshot.attributes.count
        LogRecordEncoder.encode(new.head, dropped: record.droppedAttributes, uncounted: own, core: self) { changed in
            changed.setAttributes(new.attributes, core: self)
            append(&changed, header: header, period: period)
        }
    }

    private func append(_ record: inout LogRecordEncoder, header: RecordHeader, period: UInt64) {
        guard periods.number == period else { return }
        sink.append(record.finish(in: self), header: header)
    }
}
