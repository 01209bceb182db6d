import AstrolabeOTLP
import AstrolabeTelemetryModel
import Testing

@Suite struct `Groups in protobuf` {
    @Test func `keep their resources, scopes and schema addresses apart`() throws {
        let scope = Wire.message(
            1, Wire.text(1, "shop"), Wire.text(2, "1.2"), Wire.attribute(3, "k", Wire.varint(3, 1)), Wire.varint(4, 2),
        )
        let request =
            Wire.message(
                1, Wire.message(1, Wire.attribute(1, "service.name", Wire.text(1, "app")), Wire.varint(2, 3)),
                Wire.message(
                    2, scope, Wire.bytes(2, Wire.ids), Wire.bytes(2, Wire.ids), Wire.text(3, "scope-schema"),
                ),
                Wire.message(2), Wire.text(3, "resource-schema"),
            ) + Wire.message(1)
        let groups = try OTLPDecoder.traces(protobuf: request)
        try #require(groups.count == 2)
        #expect(groups[0].resource == Resource(attributes: ["service.name": "app"], droppedAttributesCount: 3))
        #expect(groups[0].schemaURL == "resource-schema")
        #expect(groups[0].scopes.map(\.records.count) == [2, 0])
        #expect(
            groups[0].scopes[0].scope
                == InstrumentationScope(
                    name: "shop", version: "1.2", attributes: ["k": 1], droppedAttributesCount: 2,
                ))
        #expect(groups[0].scopes[0].schemaURL == "scope-schema")
        #expect(groups[1] == ResourceGroup(resource: Resource()))
    }

    @Test func `are none in an empty request`() throws {
        #expect(try OTLPDecoder.traces(protobuf: []).isEmpty)
        #expect(try OTLPDecoder.logs(protobuf: UnsafeRawBufferPointer(start: nil, count: 0)).isEmpty)
    }

    @Test func `merge a resource, a scope and a status given twice`() throws {
        let request = Wire.message(
            1, Wire.message(1, Wire.attribute(1, "a", Wire.varint(3, 1)), Wire.varint(2, 9)),
            Wire.message(
                2, Wire.message(1, Wire.text(1, "name")),
                Wire.bytes(
                    2, Wire.ids + Wire.message(15, Wire.varint(3, 2)) + Wire.message(15, Wire.text(2, "late")),
                ),
                Wire.message(1, Wire.text(2, "version")),
            ),
            Wire.message(1, Wire.attribute(1, "b", Wire.varint(3, 2)), Wire.attribute(1, "a", Wire.varint(3, 3))),
        )
        let group = try OTLPDecoder.traces(protobuf: request)[0]
        #expect(group.resource == Resource(attributes: ["a": 3, "b": 2], droppedAttributesCount: 9))
        #expect(group.scopes[0].scope == InstrumentationScope(name: "name", version: "version"))
        #expect(group.scopes[0].records[0].status == .error("late"))
    }

    @Test func `merge the parts of a value that are lists or maps, and otherwise take the last`() throws {
        func item(_ number: UInt64) -> [UInt8] { Wire.message(1, Wire.varint(3, number)) }
        func pair(_ key: String, _ number: UInt64) -> [UInt8] { Wire.attribute(1, key, Wire.varint(3, number)) }
        let lists = [Wire.bytes(5, item(1)), Wire.bytes(5, item(2))]
        let maps = [Wire.bytes(6, pair("a", 1)), Wire.bytes(6, pair("b", 2) + pair("a", 3))]

        #expect(try Reading.log(Wire.bytes(5, lists[0]), Wire.bytes(5, lists[1])).body == [1, 2])
        #expect(try Reading.log(Wire.bytes(5, lists[0] + lists[1])).body == [1, 2])
        #expect(try Reading.log(Wire.bytes(5, maps[0]), Wire.bytes(5, maps[1])).body == .map(["a": 3, "b": 2]))
        #expect(try Reading.log(Wire.bytes(5, maps[0] + lists[0])).body == [1])
        #expect(try Reading.log(Wire.bytes(5, lists[0] + Wire.varint(3, 8) + lists[1])).body == [2])
        #expect(try Reading.log(Wire.bytes(5, lists[0] + Wire.text(1, "last"))).body == "last")
        let attribute = Wire.message(6, Wire.text(1, "k"), Wire.bytes(2, maps[0]), Wire.bytes(2, maps[1]))
        #expect(try Reading.log(attribute).attributes == ["k": AttributeValue.map(["a": 3, "b": 2])])
    }

    @Test func `take the last of a field given twice`() throws {
        let span = try Reading.span(
            Wire.text(5, "first"), Wire.fixed64(7, 1), Wire.text(5, "last"), Wire.fixed64(7, 2), Wire.varint(6, 1),
            Wire.varint(6, 2),
        )
        #expect(span.name == "last")
        #expect(span.startTimeUnixNano == 2)
        #expect(span.kind == .server)
    }
}
