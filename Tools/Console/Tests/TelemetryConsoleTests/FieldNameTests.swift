import AstrolabeTelemetryModel
import BrowserKit
import ConsoleModel
import Foundation
import Testing

@testable import TelemetryConsole
@testable import TelemetryQuery

/// An app's attributes and the fields of queries do not hide each other, whatever they are called.
@Suite
struct FieldNameTests {
    /// Keys that mean something else in a query, or that are no words of it.
    private static let attributes: Attributes = [
        "duration": "long", "status": "weird", "name": "Bob", "time": "noon", "kind": "big", "trace.id": "mine",
        "session.plan": "gold", "root.x": "r", "parent.category": "p", "any.y": "a", "resource.z": "z",
        "scope.name": "own", "attribute.q": "q", "service.name": "peer", "": "empty", "tick`s": "t", "plain": "yes",
    ]

    private static func send(to console: ConsoleUnderTest) async throws {
        let store = console.console.store
        let start = store.configuration.now() - 60_000_000_000
        let span = SpanData(
            context: SpanContext(traceID: TraceID(high: 7, low: 1), spanID: SpanID(1)), parentSpanID: SpanID(0),
            name: "pay", kind: .client, startTimeUnixNano: start, endTimeUnixNano: start + 250_000_000,
            attributes: attributes, status: .unset)
        _ = try await store.ingest(traces: [
            ResourceGroup(
                resource: Resource(attributes: ["service.name": "shop"]),
                scopes: [ScopeGroup(scope: InstrumentationScope(name: "checkout", version: "2"), records: [span])])
        ])
        let event = LogRecordData(
            timeUnixNano: start, severityNumber: 9, eventName: "session.end",
            attributes: [
                "session.id": "s1", "session.screens_visited": 7, "session.duration": 123.5, "status": "done",
            ])
        let scope = InstrumentationScope(name: "sessions", attributes: ["name": "other", "team": "core"])
        _ = try await store.ingest(logs: [
            ResourceGroup(
                resource: Resource(attributes: ["service.name": "shop"]),
                scopes: [ScopeGroup(scope: scope, records: [event])])
        ])
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    private static func answer(_ console: ConsoleUnderTest, _ query: String) async throws -> JSONResponse {
        try await console.get("/api/v1/query?q=\(encoded("\(query) last 1h every total"))")
    }

    /// The key of the only group.
    private static func key(_ console: ConsoleUnderTest, _ query: String) async throws -> String? {
        let rows = try await answer(console, query)["rows"].elements
        #expect(rows.count == 1, "\(query)")
        return rows.first?["key"][0].text
    }

    @Test(arguments: TestedStore.all)
    func `an attribute of any key is reached by attribute`(store: TestedStore) async throws {
        try await ConsoleUnderTest.run(on: store) { console in
            try await Self.send(to: console)
            for attribute in Self.attributes {
                let name = QueryText.name("attribute." + attribute.key)
                #expect(try await Self.key(console, "count by \(name)") == attribute.value.stringValue, "\(name)")
            }
            let screens = "max(attribute.session.screens_visited), max(attribute.session.duration) of events"
            let values = try await Self.answer(console, screens)["rows"][0]["values"]
            #expect(values[0].int == 7)
            #expect(values[1].double == 123.5)
        }
    }

    @Test(arguments: TestedStore.all)
    func `an attribute does not hide a field of the record, its service or its session`(store: TestedStore)
        async throws
    {
        try await ConsoleUnderTest.run(on: store) { console in
            try await Self.send(to: console)
            for (name, expected) in [
                ("name", "pay"), ("status", "unset"), ("kind", "client"), ("service.name", "shop"), ("plain", "yes"),
                ("scope.name", "checkout"), ("scope.version", "2"), ("trace.id", TraceID(high: 7, low: 1).hex),
            ] {
                #expect(try await Self.key(console, "count by \(name)") == expected, "\(name)")
            }
            #expect(try await Self.answer(console, "max(duration)")["rows"][0]["values"][0].int == 250_000_000)
            #expect(try await Self.key(console, "count by session.plan") == nil)
            // An event has no status of its own.
            #expect(try await Self.key(console, "count of events by status") == "done")
            #expect(try await Self.key(console, "count of events by scope.team") == "core")
            #expect(try await Self.key(console, "count of events by scope.name") == "sessions")
            #expect(try await Self.key(console, "count of events by scope.attribute.name") == "other")
        }
    }

    @Test(arguments: TestedStore.all)
    func `a query with a name that can mean two things says how to write the other`(store: TestedStore) async throws {
        try await ConsoleUnderTest.run(on: store) { console in
            try await Self.send(to: console)
            func warnings(_ query: String) async throws -> [String] {
                try await Self.answer(console, query)["warnings"].elements.compactMap(\.text)
            }
            #expect(
                try await warnings("count by session.plan") == [
                    "session.plan is plan of the record's session. Some records have an attribute of this name: write "
                        + "attribute.session.plan for it."
                ])
            #expect(
                try await warnings("max(duration) where service.name = shop") == [
                    "duration is a field of the record itself. Some records have an attribute of this name: write "
                        + "attribute.duration for it.",
                    "service.name is that of the resource. Some records have an attribute of this name: write "
                        + "attribute.service.name for it.",
                ])
            let clear = "count by plain, attribute.session.plan where attribute.duration exists"
            #expect(try await warnings(clear).isEmpty)
        }
    }

    @Test(arguments: TestedStore.all)
    func `completion offers an attribute by the name that finds it`(store: TestedStore) async throws {
        try await ConsoleUnderTest.run(on: store) { console in
            try await Self.send(to: console)
            func offered(_ text: String) async throws -> [String] {
                try await console.get("/api/v1/query/complete?q=\(Self.encoded(text))")["items"].elements
                    .compactMap { $0["text"].text }
            }
            #expect(try await offered("count by session.pl") == ["attribute.session.plan"])
            #expect(try await offered("count by root.attribute.par") == ["root.attribute.parent.category"])
            #expect(try await offered("count by attribute.pl").contains("attribute.plain"))
            #expect(try await offered("count by `attribute.ti").contains("`attribute.tick\\`s`"))
            for name in try await offered("count by ") where name != "count" {
                let query = "count by \(name) where \(name) exists"
                guard !name.hasSuffix("("), !name.hasPrefix("session.") else { continue }
                #expect(try await Self.answer(console, query)["matchedRecords"].int == 1, "\(query)")
            }
        }
    }
}
