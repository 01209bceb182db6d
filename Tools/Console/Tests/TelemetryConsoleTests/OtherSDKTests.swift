import AstrolabeSeededRandomness
import AstrolabeTelemetryModel
import BrowserKit
import Foundation
import Testing

@testable import TelemetryConsole

/// Requests of apps with other SDKs, in the shape in which their sources emit them.
@Suite(.timeLimit(.minutes(3))) struct OtherSDKTests {
    private static let time: UInt64 = 1_790_000_000_000_000_000

    private static let androidResource: [(String, JSON)] = [
        ("service.name", "shop"), ("service.version", "2.1"), ("telemetry.sdk.name", "opentelemetry"),
        ("telemetry.sdk.language", "java"), ("device.model.name", "Pixel 8"), ("device.model.identifier", "Pixel 8"),
        ("device.manufacturer", "Google"), ("os.name", "Android"), ("os.version", "15"),
        ("app.installation.id", "install-7"),
    ]

    private static func crash(line: Int, lambda: Int) -> [(String, JSON)] {
        [
            ("session.id", "android-1"), ("screen.name", "Cart"), ("thread.name", "main"),
            ("exception.type", "java.lang.IllegalStateException"), ("exception.message", .string("item \(line)")),
            (
                "exception.stacktrace",
                .string(
                    """
                    java.lang.RuntimeException: outer
                    \tat android.os.Handler.dispatchMessage(Handler.java:\(line + 90))
                    Caused by: java.lang.IllegalStateException: item \(line)
                    \tat java.util.Optional.get(Optional.java:\(line + 1))
                    \tat shop.CartModel.add$lambda$\(lambda)(CartModel.kt:\(line))
                    \tat shop.CartScreen.tap(CartScreen.kt:12)
                    \t... 9 more
                    """),
            ),
        ]
    }

    private func send(
        _ console: ConsoleUnderTest, _ resource: [(String, JSON)], _ events: [OTLPBody.Event],
    ) async throws {
        try await console.send(OTLPBody.logs(resource, events), to: .logs)
    }

    private func groups(_ console: ConsoleUnderTest, _ kind: String) async throws -> [JSONResponse] {
        try await console.get("/api/v1/health/groups?kind=\(kind)")["groups"].elements
    }

    /// As when a console receives what another one exports.
    @Test
    func `a record that was recognised is not changed again`() {
        let resource = Resource(attributes: ["telemetry.sdk.language": "android", "device.id": "d"])
        for row in ConventionTable.events {
            let scope = InstrumentationScope(name: row.scope ?? "s")
            let name = row.key.isEmpty ? row.value : ""
            var attributes = Attributes(row.copies.reduce(into: [String: Int]()) { $0[$1.foreign] = 1 })
            if !row.key.isEmpty { attributes[row.key] = .string(row.value) }
            switch row.signal {
            case .log:
                let record = LogRecordData(timeUnixNano: 1, eventName: name, attributes: attributes)
                let sent = [ResourceGroup(resource: resource, scopes: [ScopeGroup(scope: scope, records: [record])])]
                let read = ConventionReader.read(sent)
                #expect(read[0].scopes[0].records[0].eventName == row.event)
                #expect(ConventionReader.read(read) == read, "\(row.value)")
            case .span:
                let span = SpanData(
                    context: SpanContext(traceID: TraceID(high: 1, low: 2), spanID: SpanID(3)), name: name,
                    startTimeUnixNano: 1, endTimeUnixNano: 2, attributes: attributes)
                let sent = [ResourceGroup(resource: resource, scopes: [ScopeGroup(scope: scope, records: [span])])]
                let read = ConventionReader.read(sent)
                #expect(read.events[0].scopes[0].records[0].eventName == row.event)
                let again = ConventionReader.read(read.spans)
                #expect(again.spans == read.spans && again.events == read.events, "\(row.value)")
                #expect(ConventionReader.read(read.events) == read.events, "\(row.value)")
            }
        }
    }

    @Test
    func `an app with OpenTelemetry's Android SDK has its session, device, crash, ANR and jank`() async throws {
        try await ConsoleUnderTest.run { console in
            let jank: [(String, JSON)] = [
                ("session.id", "android-1"), ("app.screen.name", "Cart"), ("app.jank.frame_count", 7),
                ("app.jank.period", .number(1)), ("app.jank.threshold", .number(0.016)),
            ]
            let anr: [(String, JSON)] = [
                ("session.id", "android-1"), ("screen.name", "Cart"), ("thread.name", "main"),
                (
                    "exception.stacktrace",
                    "java.lang.Thread.sleep(Native Method)\nshop.Prices.load(Prices.kt:9)\n",
                ),
            ]
            try await send(
                console, Self.androidResource,
                [
                    OTLPBody.Event(name: "session.start", time: Self.time, attributes: [("session.id", "android-1")]),
                    OTLPBody.Event(name: "app.jank", time: Self.time + 1, attributes: jank),
                    OTLPBody.Event(name: "device.anr", time: Self.time + 2, severity: 0, attributes: anr),
                    OTLPBody.Event(
                        name: "device.crash", time: Self.time + 3, severity: 0,
                        attributes: Self.crash(line: 40, lambda: 1),
                    ),
                    OTLPBody.Event(
                        name: "app.crash", time: Self.time + 4, severity: 0,
                        attributes: Self.crash(line: 41, lambda: 2)),
                ])
            let session = try await console.get("/api/v1/sessions")["sessions"][0]
            #expect(session["id"].text == "android-1")
            #expect(session["crashes"].int == 2)
            #expect(session["screens"].elements.compactMap(\.text) == ["Cart"])
            #expect(try await console.get("/api/v1/devices")["devices"][0]["id"].text == "install-7")
            let crashes = try await groups(console, "crash")
            #expect(crashes.count == 1)
            #expect(crashes.first?["count"].int == 2)
            #expect(crashes.first?["title"].text == "IllegalStateException: item 41")
            #expect(crashes.first?["place"].text == "shop.CartModel.add$lambda$2 · CartModel.kt:41")
            let hangs = try await groups(console, "hang")
            #expect(hangs.first?["title"].text == "Hang in shop.Prices.load")
            #expect(hangs.first?["longest"].double == 5)
            let screens = try await console.get("/api/v1/health/screens")["screens"].elements
            #expect(screens.first?["screen"].text == "Cart")
        }
    }

    @Test
    func `an older Android SDK's spans become jank and an ANR, once each however often they come`() async throws {
        try await ConsoleUnderTest.run { console in
            let trace = String(repeating: "a1", count: 16)
            func span(_ name: String, _ id: String, _ attributes: [(String, JSON)]) -> OTLPBody.Span {
                OTLPBody.Span(
                    trace: trace, id: id, name: name, start: Self.time, end: Self.time + 10,
                    attributes: [("session.id", "android-2")] + attributes)
            }
            let body = OTLPBody.traces(
                Self.androidResource,
                [
                    span("slowRenders", "00000000000000a1", [("count", 3), ("activity.name", "Cart")]),
                    span("ANR", "00000000000000a2", [("exception.stacktrace", "shop.Prices.load(Prices.kt:9)")]),
                ])
            for _ in 1...2 { try await console.send(body, to: .traces) }
            let hangs = try await groups(console, "hang")
            #expect(hangs.first?["count"].int == 1)
            let screens = try await console.get("/api/v1/health/screens")["screens"].elements
            #expect(screens.first?["screen"].text == "Cart")
            #expect(try await console.get("/api/v1/sessions")["sessions"][0]["spans"].int == 2)
        }
    }

    @Test
    func `MetricKit's crash and hang from OpenTelemetry Swift are issues of its device`() async throws {
        try await ConsoleUnderTest.run { console in
            let resource: [(String, JSON)] = [
                ("service.name", "shop"), ("telemetry.sdk.name", "opentelemetry"), ("telemetry.sdk.language", "swift"),
                ("device.model.identifier", "iPhone16,1"), ("device.id", "vendor-3"), ("os.name", "iOS"),
            ]
            let stack = """
                {"callStackPerThread":true,"callStacks":[{"threadAttributed":true,"callStackFrames":[
                {"binaryUUID":"70B8","offsetAddress":4,"binaryName":"libsystem_kernel.dylib"},
                {"binaryUUID":"70B9","offsetAddress":165304,"binaryName":"Shop"}]}]}
                """
            try await send(
                console, resource,
                [
                    OTLPBody.Event(
                        name: "metrickit.diagnostic.crash", time: Self.time, severity: 0,
                        attributes: [
                            ("session.id", "swift-1"), ("name", "metrickit.diagnostic.crash"),
                            ("exception.type", "EXC_BAD_ACCESS"), ("exception.message", "Could not access memory"),
                            ("exception.stacktrace", .string(stack)),
                        ]),
                    OTLPBody.Event(
                        name: "metrickit.diagnostic.hang", time: Self.time + 1, severity: 0,
                        attributes: [
                            ("session.id", "swift-1"), ("metrickit.diagnostic.hang.hang_duration", .number(2.5)),
                            ("exception.stacktrace", .string(stack)),
                        ]),
                ])
            #expect(try await groups(console, "crash").first?["place"].text == "Shop + 0x285b8")
            #expect(try await groups(console, "hang").first?["longest"].double == 2.5)
            #expect(try await console.get("/api/v1/devices")["devices"][0]["id"].text == "vendor-3")
        }
    }

    @Test
    func `an uncaught error of a page is an issue, and its paths are screens`() async throws {
        try await ConsoleUnderTest.run { console in
            let resource: [(String, JSON)] = [
                ("service.name", "web-shop"), ("telemetry.sdk.name", "opentelemetry"),
                ("telemetry.sdk.language", "webjs"),
            ]
            func error(_ chunk: Int) -> JSON {
                .string("TypeError: x\n    at addToCart (https://shop.example/app.\(chunk).js:1:\(chunk))")
            }
            let records: [JSON] = (1...2).map { chunk in
                OTLPBody.Event(
                    name: "exception", time: Self.time + UInt64(chunk), severity: 17,
                    attributes: [
                        ("session.id", "web-1"), ("exception.type", "TypeError"), ("exception.message", "x"),
                        ("exception.stacktrace", error(chunk)),
                    ],
                ).json
            }
            let scope: JSON = ["name": "@opentelemetry/browser-instrumentation/errors"]
            try await console.send(
                [
                    "resourceLogs": [
                        [
                            "resource": ["attributes": OTLPBody.attributes(resource)],
                            "scopeLogs": [["scope": scope, "logRecords": .array(records)]],
                        ]
                    ]
                ], to: .logs)
            try await send(
                console, resource,
                [
                    OTLPBody.Event(
                        name: "browser.navigation", time: Self.time,
                        attributes: [("session.id", "web-1"), ("url.full", "https://shop.example/cart?id=7")])
                ])
            let crashes = try await groups(console, "crash")
            #expect(crashes.count == 1)
            #expect(crashes.first?["title"].text == "TypeError: x")
            let session = try await console.get("/api/v1/sessions")["sessions"][0]
            #expect(session["screens"].elements.compactMap(\.text) == ["/cart"])
        }
    }

    @Test
    func `Honeycomb's distributions have their crashes, and handled exceptions are none`() async throws {
        try await ConsoleUnderTest.run { console in
            func crash(_ id: String, severity: Int) -> OTLPBody.Event {
                OTLPBody.Event(
                    name: "", time: Self.time + UInt64(severity), severity: severity,
                    attributes: [
                        ("event.name", "device.crash"), ("session.id", .string(id)), ("exception.type", "a.b"),
                        ("exception.stacktrace", "a.b: x\n\tat p0.c.a(SourceFile:3)"),
                    ])
            }
            let resource = Self.androidResource.filter { $0.0 != "app.installation.id" }
            try await send(console, resource, [crash("hny-1", severity: 17), crash("hny-2", severity: 21)])
            #expect(try await console.get("/api/v1/sessions/hny-1")["crashes"].int == 0)
            #expect(try await console.get("/api/v1/sessions/hny-2")["crashes"].int == 1)
            let key = "metrickit.diagnostic.crash.exception"
            try await send(
                console,
                [("service.name", "shop"), ("telemetry.sdk.language", "swift"), ("device.id", "vendor-4")],
                [
                    OTLPBody.Event(
                        name: "", time: Self.time + 50, severity: 0,
                        attributes: [
                            ("name", "metrickit.diagnostic.crash"), ("screen.name", "Cart"), ("session.id", "hny-3"),
                            (key + ".mach_exception.name", "EXC_CRASH"),
                            (
                                key + ".stacktrace_json",
                                """
                                {"callStacks" : [{"threadAttributed" : true, "callStackRootFrames" : [
                                {"binaryName" : "Shop", "offsetIntoBinaryTextSegment" : 16}]}]}
                                """,
                            ),
                        ])
                ])
            let web = OTLPBody.Span(
                trace: String(repeating: "b2", count: 16), id: "00000000000000b2", name: "exception",
                start: Self.time + 60, end: Self.time + 60,
                attributes: [
                    ("session.id", "hny-4"), ("page.route", "/cart"), ("exception.type", "RangeError"),
                    ("exception.message", "bad"), ("exception.stacktrace", "add@https://shop.example/app.js:3:9"),
                ], error: "bad")
            try await console.send(
                [
                    "resourceSpans": [
                        [
                            "resource": [
                                "attributes": OTLPBody.attributes([
                                    ("service.name", "web"), ("telemetry.sdk.language", "webjs"),
                                    ("browser.name", "Firefox"),
                                ])
                            ],
                            "scopeSpans": [
                                [
                                    "scope": ["name": "@honeycombio/instrumentation-global-errors"],
                                    "spans": [web.json],
                                ]
                            ],
                        ]
                    ]
                ], to: .traces)
            let titles = try await groups(console, "crash").compactMap { $0["title"].text }
            #expect(Set(titles) == ["b", "EXC_CRASH", "RangeError: bad"])
            #expect(try await console.get("/api/v1/sessions/hny-3")["screens"][0].text == "Cart")
            #expect(try await console.get("/api/v1/sessions/hny-4")["screens"][0].text == "/cart")
        }
    }

    @Test
    func `Embrace's crash, blocked thread and views are a crash, a hang and screens`() async throws {
        try await ConsoleUnderTest.run { console in
            try await send(
                console, Self.androidResource,
                [
                    OTLPBody.Event(
                        name: "", time: Self.time, severity: 17,
                        attributes: [
                            ("emb.type", "sys.android.crash"), ("session.id", "emb-1"),
                            ("exception.type", "java.lang.Error"), ("exception.message", "no"),
                            ("exception.stacktrace", #"["shop.A.b(A.kt:1)", "java.lang.Thread.run(Thread.java:2)"]"#),
                        ])
                ])
            func span(_ id: String, _ type: String, _ attributes: [(String, JSON)]) -> OTLPBody.Span {
                OTLPBody.Span(
                    trace: String(repeating: "c3", count: 16), id: id, name: "emb-thread-blockage",
                    start: Self.time, end: Self.time + 3_000_000_000,
                    attributes: [("emb.type", .string(type)), ("session.id", "emb-1")] + attributes)
            }
            try await console.send(
                OTLPBody.traces(
                    Self.androidResource,
                    [
                        span("00000000000000c1", "perf.thread_blockage", []),
                        span("00000000000000c2", "ux.view", [("view.name", "CartActivity")]),
                    ]), to: .traces)
            #expect(try await groups(console, "crash").first?["place"].text == "shop.A.b · A.kt:1")
            #expect(try await groups(console, "hang").first?["longest"].double == 3)
            let session = try await console.get("/api/v1/sessions/emb-1")
            #expect(session["screens"].elements.compactMap(\.text) == ["CartActivity"])
        }
    }

    @Test
    func `the guide names each row of the table`() throws {
        let root = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let guide = try String(contentsOf: root.appendingPathComponent("Docs/Guide/OtherSDKs.md"), encoding: .utf8)
        let attributes = ConventionTable.resourceAttributes + ConventionTable.recordAttributes
        let rows =
            attributes.map { "`\($0.foreign)` | \($0.source) |" }
            + ConventionTable.events.map { "`\($0.value)` | `\($0.event)` | \($0.source) |" }
        for row in rows { #expect(guide.contains(row), "\(row)") }
    }

    @Test
    func `random and mutated stacks are read without a trap and within the limits`() {
        var random = SeededGenerator(seed: 342)
        let seed = Array(
            "Caused by: a.B\n\tat a.B.c(B.kt:1)\nf@https://x/y.js:1:2\n0 Shop 0x1 s + 4\n{\"callStacks\":[]}".utf8)
        for _ in 0..<3_000 {
            var bytes = seed
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                if Bool.random(using: &random) { bytes[index] = .random(in: 0...255, using: &random) }
                if Bool.random(using: &random) { bytes.swapAt(index, 0) }
            }
            #expect(StackText.frames(String(decoding: bytes, as: UTF8.self)).count <= 256)
        }
        let deep = String(repeating: "{\"callStacks\":[", count: 20_000)
        #expect(StackText.frames(deep).isEmpty)
        let long = String(repeating: "\tat a.B.c(B.kt:1)\n", count: 200_000)
        #expect(StackText.frames(long).count == 256)
    }
}
