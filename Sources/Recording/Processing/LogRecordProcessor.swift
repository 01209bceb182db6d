/// Reads and changes each log record and event before it is stored.
///
///     struct WithTenant: LogRecordProcessor {
///         let tenant: String
///
///         func onEmit(_ record: inout LogRecord) { record.attributes["demo.tenant"] = .string(tenant) }
///     }
///
/// Runs on the thread that emits the record, in the order of `TelemetryConfiguration.logRecordProcessors`. It must
/// return quickly and must not block. Changes are redacted and limited like any attribute. Records that a processor
/// makes itself do not pass through processors.
public protocol LogRecordProcessor: Sendable {
    /// Called for each record. The next processor sees the changes.
    func onEmit(_ record: inout LogRecord)
}
