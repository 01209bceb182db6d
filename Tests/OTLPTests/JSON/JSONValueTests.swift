import AstrolabeOTLP
import AstrolabeTelemetryModel
import Testing

@Suite struct `JSON values` {
    @Test func `cover a whole span`() throws {
        let span = try Reading.span(
            json: #"""
                "traceState": "ot=th:8", "parentSpanId": "B1B2B3B4B5B6B7B8", "flags": 259, "name": "GET",
                "kind": 3, "startTimeUnixNano": "1000", "endTimeUnixNano": 3500,
                "attributes": [{"key": "k", "value": {"stringValue": "v"}}], "droppedAttributesCount": 4,
                "events": [{"timeUnixNano": "2000", "name": "retry", "attributes": [], "droppedAttributesCount": 5}],
                "droppedEventsCount": "6",
                "links": [{"traceId": "0102030405060708090a0b0c0d0e0f10", "spanId": "0102030405060708",
                    "traceState": "a=b", "attributes": [], "droppedAttributesCount": 7, "flags": 769}],
                "droppedLinksCount": 8, "status": {"code": 2, "message": "no route"}
                """#
        )
        let protobuf = try Reading.span(
            Wire.text(3, "ot=th:8"), Wire.bytes(4, Array(0xB1...0xB8)), Wire.fixed32(16, 259), Wire.text(5, "GET"),
            Wire.varint(6, 3), Wire.fixed64(7, 1_000), Wire.fixed64(8, 3_500),
            Wire.attribute(9, "k", Wire.text(1, "v")), Wire.varint(10, 4),
            Wire.message(11, Wire.fixed64(1, 2_000), Wire.text(2, "retry"), Wire.varint(4, 5)), Wire.varint(12, 6),
            Wire.message(
                13, Wire.bytes(1, Array(1...16)), Wire.bytes(2, Array(1...8)), Wire.text(3, "a=b"),
                Wire.varint(5, 7), Wire.fixed32(6, 769),
            ), Wire.varint(14, 8), Wire.message(15, Wire.varint(3, 2), Wire.text(2, "no route")),
        )
        #expect(span == protobuf)
    }

    @Test func `cover a whole log record`() throws {
        let record = try Reading.log(
            json: #"""
                "timeUnixNano": "10", "observedTimeUnixNano": "20", "severityNumber": 17, "severityText": "ERROR",
                "eventName": "app.crash", "body": {"stringValue": "boom"}, "droppedAttributesCount": 2, "flags": 1,
                "attributes": [{"key": "a", "value": {"intValue": "1"}}], "spanId": "0102030405060708",
                "traceId": "0102030405060708090a0b0c0d0e0f10"
                """#
        )
        let expected = LogRecordData(
            timeUnixNano: 10, observedTimeUnixNano: 20, severityNumber: 17, severityText: "ERROR",
            eventName: "app.crash", body: "boom", attributes: ["a": 1], droppedAttributesCount: 2, flags: .sampled,
            traceID: TraceID(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C_0D0E_0F10),
            spanID: SpanID(0x0102_0304_0506_0708),
        )
        #expect(record == expected)
    }

    @Test func `cover every kind of metric`() throws {
        let gauge = try Reading.metric(
            json:
                #""name":"m","unit":"s","gauge":{"dataPoints":[{"timeUnixNano":"1","asDouble":"NaN","flags":1},{"asInt":"-7"}]}"#
        )
        #expect(
            gauge == MetricData(name: "m", unit: "s", data: .gauge([NumberPoint(timeUnixNano: 0, value: .int(-7))])))
        let sum = try Reading.metric(
            json: #""sum":{"isMonotonic":true,"dataPoints":[{"asDouble":1}],"aggregationTemporality":2}"#)
        let points = [NumberPoint(timeUnixNano: 0, value: .double(1))]
        #expect(sum.data == .sum(points, temporality: .cumulative, isMonotonic: true))
        let histogram = try Reading.metric(
            json: #"""
                "histogram": {"aggregationTemporality": "AGGREGATION_TEMPORALITY_DELTA", "dataPoints": [{
                    "count": "3", "sum": 4.5, "bucketCounts": ["1", 2], "explicitBounds": [0.5], "min": -1, "max": 3}]}
                """#
        )
        let point = HistogramPoint(
            timeUnixNano: 0, count: 3, sum: 4.5, min: -1, max: 3, bucketCounts: [1, 2], explicitBounds: [0.5],
        )
        #expect(histogram.data == .histogram([point], temporality: .delta))
        let exponential = try Reading.metric(
            json: #"""
                "exponentialHistogram": {"aggregationTemporality": 2, "dataPoints": [{"count": "5", "scale": -3,
                    "zeroCount": 1, "zeroThreshold": 0.5, "positive": {"offset": -2, "bucketCounts": ["3"]},
                    "negative": {"bucketCounts": [1]}, "exemplars": [{"asInt": "-1", "timeUnixNano": "4",
                        "spanId": "0101010101010101", "filteredAttributes": [{"key": "k"}]}]}, {"flags": 1}]}
                """#
        )
        let buckets = ExponentialHistogramPoint(
            timeUnixNano: 0, count: 5, scale: -3, zeroCount: 1, zeroThreshold: 0.5,
            positive: .init(offset: -2, counts: [3]), negative: .init(counts: [1]),
            exemplars: [
                Exemplar(
                    filteredAttributes: ["k": AttributeValue.empty], timeUnixNano: 4, value: .int(-1),
                    spanID: SpanID(0x0101_0101_0101_0101),
                )
            ],
        )
        #expect(exponential.data == .exponentialHistogram([buckets], temporality: .cumulative))
        let summary = try Reading.metric(
            json: #""summary":{"dataPoints":[{"count":2,"sum":3,"quantileValues":[{"quantile":1,"value":"NaN"},{}]}]}"#)
        guard case .summary(let points) = summary.data else {
            Issue.record("expected a summary")
            return
        }
        #expect(points.first?.quantiles.map(\.quantile) == [1, 0])
        #expect(points.first?.quantiles.first?.value.isNaN == true)
    }

    @Test func `are of every attribute type`() throws {
        #expect(try Reading.value(json: #"{"stringValue":"s"}"#) == "s")
        #expect(try Reading.value(json: #"{"boolValue":true}"#) == true)
        #expect(try Reading.value(json: #"{"intValue":"-9223372036854775808"}"#) == .int(.min))
        #expect(try Reading.value(json: #"{"doubleValue":-0.0}"#)?.doubleValue?.sign == .minus)
        #expect(try Reading.value(json: #"{"bytesValue":"-_8="}"#) == .bytes([0xFB, 0xFF]))
        #expect(try Reading.value(json: #"{"bytesValue":"\/\/8="}"#) == .bytes([0xFF, 0xFF]))
        #expect(try Reading.value(json: #"{"arrayValue":{"values":[{"intValue":1},{}]}}"#) == [1, .empty])
        #expect(
            try Reading.value(json: #"{"kvlistValue":{"values":[{"key":"a"},{"key":"a","value":{"intValue":2}}]}}"#)
                == .map(["a": 2]))
        #expect(try Reading.value(json: "{}") == .empty)
    }

    @Test(arguments: [
        ("0", 0), ("-0", 0), ("9223372036854775807", .max), ("-9223372036854775808", .min), ("1e3", 1_000),
        ("1.0", 1), ("\"12\"", 12), ("\"1.5e1\"", 15),
    ])
    func `hold 64-bit integers as numbers or as text`(text: String, value: Int64) throws {
        #expect(try Reading.value(json: #"{"intValue":\#(text)}"#) == .int(value))
    }

    @Test(arguments: [
        "9223372036854775808", "-9223372036854775809", "1.5", "1e19", "1e400", "99999999999999999999999", "\"\"",
        "\" 1\"", "\"1 \"", "\"0x1\"", "true", "[]", "01", "-", "1.", ".5", "1e", "+1", "\"NaN\"",
    ])
    func `hold no other integers`(text: String) throws {
        let error = try refusal { try Reading.value(json: #"{"intValue":\#(text)}"#) }
        #expect(error.path == "resourceLogs[0].scopeLogs[0].logRecords[0].body.intValue")
    }

    @Test(arguments: [
        ("0.1", 0.1), ("1e308", 1e308), ("-2.5E-3", -0.0025), ("\"1.5\"", 1.5), ("\"Infinity\"", .infinity),
        ("\"-Infinity\"", -.infinity), ("123456789012345678901234567890", 123_456_789_012_345_678_901_234_567_890.0),
        ("1e-400", 0),
    ])
    func `hold doubles`(text: String, value: Double) throws {
        #expect(try Reading.value(json: #"{"doubleValue":\#(text)}"#) == .double(value))
    }

    @Test(arguments: ["1e400", "-1e999", "\"infinity\"", "\"nan\"", "NaN", "Infinity", "\"\"", "1.e3", "0x10", "1_0"])
    func `hold no other doubles`(text: String) throws {
        #expect(throws: OTLPDecodingError.self) { try Reading.value(json: #"{"doubleValue":\#(text)}"#) }
    }

    @Test func `hold NaN as text`() throws {
        #expect(try Reading.value(json: #"{"doubleValue":"NaN"}"#)?.doubleValue?.isNaN == true)
    }

    @Test func `name enumerations or number them`() throws {
        #expect(try Reading.span(json: #""kind":"SPAN_KIND_CLIENT""#).kind == .client)
        #expect(try Reading.span(json: #""kind":"SPAN_KIND_UNSPECIFIED""#).kind == nil)
        #expect(try Reading.span(json: #""kind":77"#).kind == nil)
        #expect(try Reading.span(json: #""status":{"code":"STATUS_CODE_OK"}"#).status == .ok)
        #expect(try Reading.log(json: #""severityNumber":"SEVERITY_NUMBER_WARN3""#).severityNumber == 15)
        let error = try refusal { try Reading.span(json: #""kind":"CLIENT""#) }
        #expect(error.reason == "expected a number or a name such as SPAN_KIND_CLIENT")
    }

    @Test func `may be null, unknown, in snake case, or given twice`() throws {
        let span = try Reading.span(
            json: #"""
                "name": null, "attributes": null, "start_time_unix_nano": 5, "new_field": {"a": [1, {"b": null}]},
                "kind": 1, "kind": 2, "events": [{"name": "a"}], "events": [{"name": "b"}], "name": "last",
                "status": {"code": 2}, "status": {"message": "alone"}, "parent\u005fspan_id": ""
                """#
        )
        #expect(span.startTimeUnixNano == 5)
        #expect(span.kind == .server)
        #expect(span.events.map(\.name) == ["b"])
        #expect(span.name == "last")
        #expect(span.status == .unset)
    }

    @Test func `hold ids as hex digits and not as base64`() throws {
        #expect(throws: OTLPDecodingError.self) { try Reading.log(json: #""spanId":"0102030405060g08""#) }
        let error = try refusal { try Reading.log(json: #""traceId":"AQIDBAUGBwgJCgsMDQ4PEA==""#) }
        #expect(error.reason == "expected 32 hex digits (OTLP writes ids in hex, not base64), got 24 character(s)")
        #expect(try Reading.log(json: #""traceId":"""#).traceID == .invalid)
    }
}
