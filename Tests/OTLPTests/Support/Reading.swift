import AstrolabeOTLP
import AstrolabeTelemetryModel
import Testing

/// Requests in either encoding, read for what a test is about.
enum Reading {
    static func span(_ fields: [UInt8]...) throws -> SpanData {
        let groups = try OTLPDecoder.traces(protobuf: Wire.request(Wire.ids + fields.flatMap { $0 }))
        return try onlyRecord(groups)
    }

    static func log(_ fields: [UInt8]...) throws -> LogRecordData {
        try onlyRecord(OTLPDecoder.logs(protobuf: Wire.request(fields.flatMap { $0 })))
    }

    static func metric(_ fields: [UInt8]...) throws -> MetricData {
        try onlyRecord(OTLPDecoder.metrics(protobuf: Wire.request(fields.flatMap { $0 })))
    }

    /// - Parameter members: Members of the span's object, beside its ids.
    static func span(json members: String) throws -> SpanData {
        let ids = #""traceId":"1112131415161718191a1b1c1d1e1f20","spanId":"a1a2a3a4a5a6a7a8""#
        return try onlyRecord(OTLPDecoder.traces(json: request("Spans", "spans", ids + "," + members)))
    }

    static func log(json members: String) throws -> LogRecordData {
        try onlyRecord(OTLPDecoder.logs(json: request("Logs", "logRecords", members)))
    }

    static func metric(json members: String) throws -> MetricData {
        try onlyRecord(OTLPDecoder.metrics(json: request("Metrics", "metrics", members)))
    }

    /// The value of one attribute, written as JSON.
    static func value(json value: String) throws -> AttributeValue? {
        try log(json: #""body": \#(value)"#).body
    }

    static func request(_ signal: String, _ records: String, _ members: String) -> [UInt8] {
        Array(#"{"resource\#(signal)":[{"scope\#(signal)":[{"\#(records)":[{\#(members)}]}]}]}"#.utf8)
    }

    private static func onlyRecord<Record>(_ groups: [ResourceGroup<Record>]) throws -> Record {
        let group = try #require(groups.first)
        let scope = try #require(group.scopes.first)
        #expect(group.recordCount == 1)
        return try #require(scope.records.first)
    }
}

/// The error that reading must end in.
func refusal(_ read: () throws -> some Any) throws -> OTLPDecodingError {
    do {
        _ = try read()
    } catch let error as OTLPDecodingError {
        return error
    }
    throw NotRefused()
}

struct NotRefused: Error {}
