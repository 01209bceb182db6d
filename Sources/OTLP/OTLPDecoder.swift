public import AstrolabeTelemetryModel

/// Reads OTLP export requests, in binary protobuf or in JSON, into values.
///
///     let groups = try OTLPDecoder.traces(protobuf: body)
///     for group in groups { print(group.resource.attributes["service.name"] ?? "unknown", group.recordCount) }
///
/// Any input is safe: a request is read whole or refused with an ``OTLPDecodingError``. What a decoded request
/// occupies is bounded by ``MemoryBudget``, values nest at most ``NestingLimit/anyValue`` deep, and the time taken
/// grows with the length alone. Compressed bodies are to be decompressed first.
public enum OTLPDecoder {
    /// Reads an `ExportTraceServiceRequest`.
    public static func traces(protobuf bytes: [UInt8]) throws(OTLPDecodingError) -> [ResourceGroup<SpanData>] {
        try decode(bytes, traces(protobuf:))
    }

    /// Reads an `ExportTraceServiceRequest` in place.
    public static func traces(
        protobuf bytes: UnsafeRawBufferPointer
    ) throws(OTLPDecodingError) -> [ResourceGroup<SpanData>] {
        try ProtobufRequestReader.groups(in: bytes)
    }

    /// Reads an `ExportLogsServiceRequest`.
    public static func logs(protobuf bytes: [UInt8]) throws(OTLPDecodingError) -> [ResourceGroup<LogRecordData>] {
        try decode(bytes, logs(protobuf:))
    }

    /// Reads an `ExportLogsServiceRequest` in place.
    public static func logs(
        protobuf bytes: UnsafeRawBufferPointer
    ) throws(OTLPDecodingError) -> [ResourceGroup<LogRecordData>] {
        try ProtobufRequestReader.groups(in: bytes)
    }

    /// Reads an `ExportMetricsServiceRequest`.
    ///
    /// Points flagged as "no recorded value", and points without one, are left out; exemplars are passed over.
    public static func metrics(protobuf bytes: [UInt8]) throws(OTLPDecodingError) -> [ResourceGroup<MetricData>] {
        try decode(bytes, metrics(protobuf:))
    }

    /// Reads an `ExportMetricsServiceRequest` in place.
    public static func metrics(
        protobuf bytes: UnsafeRawBufferPointer
    ) throws(OTLPDecodingError) -> [ResourceGroup<MetricData>] {
        try ProtobufRequestReader.groups(in: bytes)
    }

    /// Reads an `ExportTraceServiceRequest` in OTLP's JSON form.
    public static func traces(json bytes: [UInt8]) throws(OTLPDecodingError) -> [ResourceGroup<SpanData>] {
        try decode(bytes, traces(json:))
    }

    /// Reads an `ExportTraceServiceRequest` in OTLP's JSON form, in place.
    public static func traces(
        json bytes: UnsafeRawBufferPointer
    ) throws(OTLPDecodingError) -> [ResourceGroup<SpanData>] {
        try JSONRequestReader.groups(in: bytes)
    }

    /// Reads an `ExportLogsServiceRequest` in OTLP's JSON form.
    public static func logs(json bytes: [UInt8]) throws(OTLPDecodingError) -> [ResourceGroup<LogRecordData>] {
        try decode(bytes, logs(json:))
    }

    /// Reads an `ExportLogsServiceRequest` in OTLP's JSON form, in place.
    public static func logs(
        json bytes: UnsafeRawBufferPointer
    ) throws(OTLPDecodingError) -> [ResourceGroup<LogRecordData>] {
        try JSONRequestReader.groups(in: bytes)
    }

    /// Reads an `ExportMetricsServiceRequest` in OTLP's JSON form.
    public static func metrics(json bytes: [UInt8]) throws(OTLPDecodingError) -> [ResourceGroup<MetricData>] {
        try decode(bytes, metrics(json:))
    }

    /// Reads an `ExportMetricsServiceRequest` in OTLP's JSON form, in place.
    public static func metrics(
        json bytes: UnsafeRawBufferPointer
    ) throws(OTLPDecodingError) -> [ResourceGroup<MetricData>] {
        try JSONRequestReader.groups(in: bytes)
    }

    private static func decode<Groups>(
        _ bytes: [UInt8], _ read: (UnsafeRawBufferPointer) throws(OTLPDecodingError) -> Groups,
    ) throws(OTLPDecodingError) -> Groups {
        try bytes.withUnsafeBytes { raw in
            Result { () throws(OTLPDecodingError) in try read(raw) }
        }.get()
    }
}
