import AstrolabeOTLP
import AstrolabeTelemetryModel
import Testing

@Suite struct `A log record in protobuf` {
    @Test func `is read field by field`() throws {
        let record = try Reading.log(
            Wire.fixed64(1, 10), Wire.varint(2, 17), Wire.text(3, "ERROR"), Wire.message(5, Wire.text(1, "boom")),
            Wire.attribute(6, "exception.type", Wire.text(1, "Oops")), Wire.varint(7, 2), Wire.fixed32(8, 0x0F01),
            Wire.bytes(9, Array(1...16)), Wire.bytes(10, Array(1...8)), Wire.fixed64(11, 20),
            Wire.text(12, "app.crash"),
        )
        var expected = LogRecordData(
            timeUnixNano: 10, observedTimeUnixNano: 20, severityNumber: 17, severityText: "ERROR",
            eventName: "app.crash", body: "boom", attributes: ["exception.type": "Oops"], droppedAttributesCount: 2,
            flags: .sampled, traceID: TraceID(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C_0D0E_0F10),
            spanID: SpanID(0x0102_0304_0506_0708),
        )
        expected.reservedFlags = 0x0F00
        #expect(record == expected)
    }

    @Test func `may be empty`() throws {
        #expect(try Reading.log() == LogRecordData(timeUnixNano: 0))
    }

    @Test func `belongs to no trace with empty ids, and is refused with short ones`() throws {
        #expect(try Reading.log(Wire.bytes(9, []), Wire.bytes(10, [])).traceID == .invalid)
        #expect(throws: OTLPDecodingError.self) { try Reading.log(Wire.bytes(9, [1])) }
    }

    @Test func `keeps a severity that has no name`() throws {
        #expect(try Reading.log(Wire.varint(2, 24)).severityNumber == 24)
        #expect(try Reading.log(Wire.varint(2, 4_000)).severityNumber == 4_000)
    }

    @Test func `has a body of any type`() throws {
        let map = Wire.message(
            6, Wire.attribute(1, "list", Wire.message(5, Wire.message(1, Wire.varint(3, 7)), Wire.message(1))),
            Wire.attribute(1, "bytes", Wire.bytes(7, [0, 255])), Wire.attribute(1, "flag", Wire.varint(2, 0)),
            Wire.attribute(1, "half", Wire.double(4, 0.5)), Wire.attribute(1, "nothing", []),
        )
        #expect(
            try Reading.log(Wire.message(5, map)).body
                == .map([
                    "list": AttributeValue.array([7, .empty]), "bytes": AttributeValue.bytes([0, 255]), "flag": false,
                    "half": 0.5,
                    "nothing": AttributeValue.empty,
                ]))
    }
}
