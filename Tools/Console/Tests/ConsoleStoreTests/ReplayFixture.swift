import AstrolabeTelemetryModel

/// Replay frames as a phone sends them.
enum ReplayFixture {
    static let scope = InstrumentationScope(name: "astrolabe.replay", version: "1")

    static func node(_ id: Int64, _ role: String, _ more: Attributes = [:]) -> AttributeValue {
        .map(
            Attributes(dictionaryLiteral: ("id", AttributeValue.int(id)), ("role", AttributeValue.string(role)))
                .merging(more))
    }

    static func event(
        _ sequence: Int64, recording: String = "r-1", session: String? = "s-1", key: Bool? = nil,
        after seconds: UInt64? = nil,
        nodes: [AttributeValue] = [node(2, "text", ["words": [3, 4]])], _ more: Attributes = [:],
    ) -> LogRecordData {
        var attributes: Attributes = [
            "astrolabe.replay.id": recording, "astrolabe.replay.sequence": sequence,
            "astrolabe.replay.root": 1, "astrolabe.replay.nodes": AttributeValue.array(nodes),
            "app.screen.name": "Cart",
        ]
        if let session { attributes["session.id"] = .string(session) }
        if key ?? (sequence == 0) {
            attributes["astrolabe.replay.is_key_frame"] = true
            attributes["astrolabe.replay.size"] = [393, 852]
            attributes["astrolabe.replay.nodes"] = .array(
                [node(1, "screen", ["children": AttributeValue.array([2])])] + nodes)
        }
        attributes.merge(more)
        return LogRecordData(
            timeUnixNano: ShopFixture.at(1_000 * (seconds ?? UInt64(clamping: sequence))), severityNumber: 5,
            eventName: "astrolabe.replay", attributes: attributes,
        )
    }

    static func group(_ events: [LogRecordData]) -> [ResourceGroup<LogRecordData>] {
        [ResourceGroup(resource: ShopFixture.phone, scopes: [ScopeGroup(scope: scope, records: events)])]
    }
}
