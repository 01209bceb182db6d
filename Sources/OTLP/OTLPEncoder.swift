public import AstrolabeTelemetryModel
import AstrolabeWire

/// Writes OTLP export requests, in binary protobuf or in JSON.
///
///     let body = OTLPEncoder.protobuf(groups)
///     let line = OTLPEncoder.json(groups)
///
/// ``OTLPDecoder`` reads from both what was written. Fields with their default value are left out, as proto3 asks. JSON
/// is one line without white space, as OTLP defines it: ids in hexadecimal, 64-bit integers as text, enumerations as
/// numbers.
///
/// The whole request is in memory, so write long streams of records in several requests.
public enum OTLPEncoder {
    /// Returns an `ExportTraceServiceRequest`.
    public static func protobuf(_ groups: [ResourceGroup<SpanData>]) -> [UInt8] { wireMessage(groups) }

    /// Returns an `ExportLogsServiceRequest`.
    public static func protobuf(_ groups: [ResourceGroup<LogRecordData>]) -> [UInt8] { wireMessage(groups) }

    /// Returns an `ExportMetricsServiceRequest`.
    public static func protobuf(_ groups: [ResourceGroup<MetricData>]) -> [UInt8] { wireMessage(groups) }

    /// Returns an `ExportTraceServiceRequest` in OTLP's JSON form.
    public static func json(_ groups: [ResourceGroup<SpanData>]) -> [UInt8] { jsonMessage(groups) }

    /// Returns an `ExportLogsServiceRequest` in OTLP's JSON form.
    public static func json(_ groups: [ResourceGroup<LogRecordData>]) -> [UInt8] { jsonMessage(groups) }

    /// Returns an `ExportMetricsServiceRequest` in OTLP's JSON form.
    public static func json(_ groups: [ResourceGroup<MetricData>]) -> [UInt8] { jsonMessage(groups) }

    /// Returns a message `Span` in binary protobuf.
    package static func message(_ span: SpanData) -> [UInt8] {
        var message = WireMessage()
        span.write(to: &message)
        return message.bytes
    }

    private static func wireMessage(_ groups: [ResourceGroup<some OTLPRecord>]) -> [UInt8] {
        var message = WireMessage()
        message.request(groups)
        return message.bytes
    }

    private static func jsonMessage(_ groups: [ResourceGroup<some OTLPRecord>]) -> [UInt8] {
        var message = JSONMessage()
        message.object { $0.request(groups) }
        return message.bytes
    }
}
