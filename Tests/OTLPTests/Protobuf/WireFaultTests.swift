import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeOTLP

@Suite struct `Faults in protobuf` {
    @Test func `say where, in which field and why`() throws {
        let good = Wire.ids
        let bad = Wire.bytes(1, [1, 2, 3]) + Wire.spanID
        let request = Wire.request(good, good, bad)
        let error = try refusal { try OTLPDecoder.traces(protobuf: request) }
        #expect(error.path == "resource_spans[0].scope_spans[0].spans[2].trace_id")
        #expect(request[error.offset...].starts(with: [1, 2, 3]))
        #expect(error.reason == "expected a trace id of 16 bytes, got 3")
        #expect(
            error.description
                == "resource_spans[0].scope_spans[0].spans[2].trace_id, byte \(error.offset): "
                + "expected a trace id of 16 bytes, got 3")
    }

    @Test func `name the attribute and the value within it`() throws {
        let list = Wire.message(5, Wire.message(1, Wire.varint(3, 1)), Wire.message(1, Wire.bytes(1, [0xFF])))
        let error = try refusal {
            try Reading.span(Wire.attribute(9, "a", Wire.varint(3, 1)), Wire.attribute(9, "b", list))
        }
        #expect(
            error.path
                == "resource_spans[0].scope_spans[0].spans[0].attributes[1].value.array_value.values[1].string_value")
    }

    @Test(arguments: [
        ([], "the message has 0"), ([0x80], "ends within it"),
        ([UInt8](repeating: 0xFF, count: 10), "at most 10 bytes and 64 bits"),
        ([UInt8](repeating: 0x80, count: 9) + [0x02], "at most 10 bytes and 64 bits"),
        ([UInt8](repeating: 0x80, count: 200), "at most 10 bytes and 64 bits"),
    ])
    func `a varint that is cut off or too long is refused`(varint: [UInt8], reason: String) throws {
        let error = try refusal { try Reading.span([0x30] + varint) }
        #expect(error.reason.contains(reason))
        #expect(error.path.hasSuffix(".kind"))
    }

    @Test func `a varint of ten bytes is read, also a needlessly long one`() throws {
        let minusOne = [UInt8](repeating: 0xFF, count: 9) + [0x01]
        #expect(try Reading.log(Wire.message(5, [0x18] + minusOne)).body == -1)
        let three = [0x83] + [UInt8](repeating: 0x80, count: 8) + [0x00]
        #expect(try Reading.log(Wire.message(5, [0x18] + three)).body == 3)
    }

    @Test func `a tag or a length of more than five bytes is refused, as protobuf's own parsers do`() throws {
        let padding = [UInt8](repeating: 0x80, count: 3)
        #expect(try Reading.span([0xAA] + padding + [0x00, 0x81] + padding + [0x00, 0x41]).name == "A")
        let tag = try refusal { try Reading.span([0xAA, 0x80] + padding + [0x00, 0x01, 0x41]) }
        #expect(tag.reason.contains("at most 5 bytes"))
        let length = try refusal { try Reading.span([0x2A, 0x81, 0x80] + padding + [0x00, 0x41]) }
        #expect(length.reason.contains("at most 5 bytes"))
    }

    @Test(arguments: [UInt64(UInt32.max), 1 << 34, 200])
    func `a length past the end is refused`(length: UInt64) throws {
        let error = try refusal { try OTLPDecoder.traces(protobuf: [0x0A] + Wire.base128(length)) }
        #expect(error.reason == "the field claims \(length) bytes, the message has 0 left")
        #expect(error.offset == 1)
    }

    @Test func `a length past its message is refused, even within the request`() throws {
        let inner = Wire.base128(5 << 3 | 2) + [50] + Array("short".utf8)
        let error = try refusal {
            try OTLPDecoder.traces(
                protobuf: Wire.request(Wire.ids + inner) + Wire.text(9, String(repeating: "x", count: 99)))
        }
        #expect(error.reason == "the field claims 50 bytes, the message has 5 left")
    }

    @Test func `field number 0 is refused`() throws {
        #expect(try refusal { try Reading.span([0x02, 0x00]) }.reason == "expected a field number from 1, got 0")
    }

    @Test func `a tag of more than 32 bits is refused`() throws {
        let tag = Wire.base128(1 << 34 | 2)
        #expect(try refusal { try Reading.span(tag + [0]) }.reason == "expected a tag of at most 32 bits")
    }

    @Test(arguments: [UInt8(6), 7])
    func `a wire type that does not exist is refused`(wireType: UInt8) throws {
        let error = try refusal { try Reading.span([0x78 | wireType, 0x00]) }
        #expect(error.reason == "expected a wire type from 0 to 5, got \(wireType)")
    }

    @Test func `a known field of another wire type is refused`() throws {
        let error = try refusal { try Reading.span(Wire.varint(5, 1)) }
        #expect(error.path.hasSuffix("spans[0].name"))
        #expect(error.reason == "expected wire type length-delimited, got varint")
        #expect(throws: OTLPDecodingError.self) { try Reading.span(Wire.text(7, "12345678")) }
        #expect(throws: OTLPDecodingError.self) { try Reading.span(Wire.fixed64(16, 1)) }
        #expect(throws: OTLPDecodingError.self) { try Reading.span(Wire.group(9)) }
    }

    @Test func `unknown fields of every wire type are passed over`() throws {
        let unknown =
            Wire.varint(99, .max) + Wire.fixed64(98, 1) + Wire.text(97, "x") + Wire.fixed32(96, 1)
            + Wire.group(95, Wire.text(1, "y"), Wire.group(94, Wire.varint(1, 1)))
        #expect(try Reading.span(unknown, Wire.text(5, "name"), unknown).name == "name")
        let everywhere = Wire.message(
            1, unknown, Wire.message(1, unknown), Wire.message(2, unknown, Wire.message(1, unknown)),
        )
        #expect(try OTLPDecoder.logs(protobuf: unknown + everywhere).count == 1)
    }

    @Test func `groups that do not match are refused`() throws {
        let unended = Wire.base128(95 << 3 | 3)
        #expect(try refusal { try Reading.span(unended) }.reason == "group 95 does not end within its message")
        let unbegun = Wire.base128(95 << 3 | 4)
        #expect(try refusal { try Reading.span(unbegun) }.reason.contains("never started"))
        let crossed = Wire.base128(95 << 3 | 3) + Wire.base128(94 << 3 | 4)
        #expect(throws: OTLPDecodingError.self) { try Reading.span(crossed) }
    }

    @Test func `groups nest to a limit, and a million of them end neither the stack nor the time`() throws {
        func nested(_ depth: Int) -> [UInt8] {
            [UInt8](repeating: 0x3B, count: depth) + [UInt8](repeating: 0x3C, count: depth)
        }
        #expect(try OTLPDecoder.traces(protobuf: nested(NestingLimit.unknownField)).isEmpty)
        #expect(throws: OTLPDecodingError.self) {
            try OTLPDecoder.traces(protobuf: nested(NestingLimit.unknownField + 1))
        }
        #expect(throws: OTLPDecodingError.self) { try OTLPDecoder.traces(protobuf: nested(1_000_000)) }
    }

    @Test func `values nest 32 deep and no deeper, in lists and in maps`() throws {
        func list(_ depth: Int) -> [UInt8] {
            (0..<depth).reduce(Wire.varint(3, 1)) { value, _ in Wire.message(5, Wire.bytes(1, value)) }
        }
        func map(_ depth: Int) -> [UInt8] {
            (0..<depth).reduce(Wire.varint(3, 1)) { value, _ in Wire.message(6, Wire.attribute(1, "k", value)) }
        }
        for nested in [list, map] {
            _ = try Reading.log(Wire.bytes(5, nested(32)))
            let error = try refusal { try Reading.log(Wire.bytes(5, nested(33))) }
            #expect(error.reason == "expected values to nest at most 32 deep")
            #expect(throws: OTLPDecodingError.self) { try Reading.log(Wire.bytes(5, nested(300))) }
        }
    }

    @Test func `text that is not UTF-8 is refused at its first wrong byte`() throws {
        let name = Array("naïve ".utf8) + [0xC0, 0xAF]
        let error = try refusal { try Reading.span(Wire.bytes(5, name)) }
        #expect(error.path.hasSuffix(".name"))
        #expect(error.reason == "expected UTF-8, got an invalid byte sequence")
        let before = try refusal { try Reading.span(Wire.bytes(5, [0xC0])) }
        #expect(error.offset == before.offset + 7)
    }

    @Test func `keys that are not UTF-8 are refused in an attribute of plain layout`() throws {
        let error = try refusal {
            try Reading.span(Wire.message(9, Wire.bytes(1, [0xFF]), Wire.message(2, Wire.varint(3, 1))))
        }
        #expect(error.path.hasSuffix("attributes[0].key"))
    }

    @Test func `packed numbers of a broken length are refused`() throws {
        let error = try refusal {
            try Reading.metric(Wire.message(9, Wire.message(1, Wire.bytes(6, [1, 2, 3, 4, 5, 6, 7, 8, 9]))))
        }
        #expect(error.reason == "expected a multiple of 8 bytes, got 9")
    }
}
