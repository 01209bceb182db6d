import AstrolabeOTLP
import AstrolabeTelemetryModel
import Testing

@Suite struct `A span in protobuf` {
    @Test func `is read field by field`() throws {
        let span = try Reading.span(
            Wire.text(3, "ot=th:8"), Wire.bytes(4, Array(0xB1...0xB8)), Wire.text(5, "GET /api/products"),
            Wire.varint(6, 3), Wire.fixed64(7, 1_000), Wire.fixed64(8, 3_500),
            Wire.attribute(9, "http.request.method", Wire.text(1, "GET")), Wire.varint(10, 4),
            Wire.message(
                11, Wire.fixed64(1, 2_000), Wire.text(2, "retry"), Wire.attribute(3, "n", Wire.varint(3, 1)),
                Wire.varint(4, 5),
            ),
            Wire.varint(12, 6),
            Wire.message(
                13, Wire.bytes(1, Array(1...16)), Wire.bytes(2, Array(1...8)), Wire.text(3, "a=b"),
                Wire.attribute(4, "why", Wire.varint(2, 1)), Wire.varint(5, 7), Wire.fixed32(6, 0x301),
            ),
            Wire.varint(14, 8), Wire.message(15, Wire.text(2, "no route"), Wire.varint(3, 2)), Wire.fixed32(16, 0x103),
        )
        let expected = SpanData(
            context: SpanContext(
                traceID: TraceID(high: 0x1112_1314_1516_1718, low: 0x191A_1B1C_1D1E_1F20),
                spanID: SpanID(0xA1A2_A3A4_A5A6_A7A8), flags: [.sampled, .random],
                traceState: try #require(TraceState(header: "ot=th:8")),
            ),
            flags: 0x103, parentSpanID: SpanID(0xB1B2_B3B4_B5B6_B7B8), name: "GET /api/products", kind: .client,
            startTimeUnixNano: 1_000, endTimeUnixNano: 3_500, attributes: ["http.request.method": "GET"],
            droppedAttributesCount: 4,
            events: [
                SpanEvent(name: "retry", timeUnixNano: 2_000, attributes: ["n": 1], droppedAttributesCount: 5)
            ],
            droppedEventsCount: 6,
            links: [
                SpanLink(
                    context: SpanContext(
                        traceID: TraceID(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C_0D0E_0F10),
                        spanID: SpanID(0x0102_0304_0506_0708), flags: .sampled,
                        traceState: try #require(TraceState(header: "a=b")), isRemote: true,
                    ),
                    attributes: ["why": true], droppedAttributesCount: 7,
                )
            ],
            droppedLinksCount: 8, status: .error("no route"),
        )
        #expect(span == expected)
    }

    @Test func `needs no more than its ids`() throws {
        let span = try Reading.span()
        #expect(span.parentSpanID == .invalid)
        #expect(span.kind == nil)
        #expect(span.status == .unset)
        #expect(span.attributes.isEmpty)
    }

    @Test(arguments: [0, 1, 8, 15, 17, 32])
    func `is refused with a trace id of another length than 16 bytes`(length: Int) throws {
        let error = try refusal {
            try OTLPDecoder.traces(
                protobuf: Wire.request(Wire.bytes(1, [UInt8](repeating: 1, count: length)) + Wire.spanID))
        }
        #expect(error.path.hasPrefix("resource_spans[0].scope_spans[0].spans[0]"))
        #expect(error.reason.contains(length == 0 ? "not all zeros" : "16 bytes, got \(length)"))
    }

    @Test(arguments: [0, 1, 7, 9, 16])
    func `is refused with a span id of another length than 8 bytes`(length: Int) throws {
        let error = try refusal {
            try OTLPDecoder.traces(
                protobuf: Wire.request(Wire.traceID + Wire.bytes(2, [UInt8](repeating: 1, count: length))))
        }
        #expect(error.reason.contains(length == 0 ? "not all zeros" : "8 bytes, got \(length)"))
    }

    @Test func `is refused with ids that are all zeros`() {
        let zeroTrace = Wire.bytes(1, [UInt8](repeating: 0, count: 16)) + Wire.spanID
        #expect(throws: OTLPDecodingError.self) { try OTLPDecoder.traces(protobuf: Wire.request(zeroTrace)) }
        let zeroSpan = Wire.traceID + Wire.bytes(2, [UInt8](repeating: 0, count: 8))
        #expect(throws: OTLPDecodingError.self) { try OTLPDecoder.traces(protobuf: Wire.request(zeroSpan)) }
    }

    @Test func `is a root with a parent id that is empty or all zeros`() throws {
        #expect(try Reading.span(Wire.bytes(4, [])).parentSpanID == .invalid)
        #expect(try Reading.span(Wire.bytes(4, [UInt8](repeating: 0, count: 8))).parentSpanID == .invalid)
        #expect(throws: OTLPDecodingError.self) { try Reading.span(Wire.bytes(4, [1, 2, 3])) }
    }

    @Test func `may have a link without ids`() throws {
        let link = try #require(try Reading.span(Wire.message(13, Wire.attribute(4, "a", []))).links.first)
        #expect(link.context == .invalid)
    }

    @Test func `goes on without a trace state that breaks the rules`() throws {
        #expect(try Reading.span(Wire.text(3, "Not A Key=1")).context.traceState.isEmpty)
    }

    @Test func `keeps an unknown kind and an unknown status as unspecified`() throws {
        let span = try Reading.span(Wire.varint(6, 9), Wire.message(15, Wire.varint(3, 7)))
        #expect(span.kind == nil)
        #expect(span.status == .unset)
    }

    @Test func `keeps the message of a status that is not an error`() throws {
        for code in [0, 1] as [UInt64] {
            let span = try Reading.span(Wire.message(15, Wire.text(2, "fine"), Wire.varint(3, code)))
            #expect(span.status == (code == 1 ? .ok : .unset))
            #expect(span.statusNote == "fine")
        }
        let failed = try Reading.span(Wire.message(15, Wire.text(2, "no route"), Wire.varint(3, 2)))
        #expect(failed.status == .error("no route"))
        #expect(failed.statusNote == "")
    }

    @Test func `is told apart from the others of its trace state`() throws {
        let states = ["ot=th:8", "ot=th:4", "", "ot=th:8"]
        let request = Wire.request(
            Wire.ids + Wire.text(3, states[0]), Wire.ids + Wire.text(3, states[1]), Wire.ids,
            Wire.ids + Wire.text(3, states[3]),
        )
        let spans = try OTLPDecoder.traces(protobuf: request)[0].scopes[0].records
        #expect(spans.map(\.context.traceState.header) == states)
    }
}
