import AstrolabeSemantics
import AstrolabeTestSupport
import BrowserKit
import ConsoleModel
import Foundation
import Testing

@testable import TelemetryConsole

/// Every page can read the values that ingest takes.
@Suite
struct StoredValueTests {
    private static let phone: [(String, JSON)] = [("os.name", "iOS"), (AttributeKey.appInstallationID, "i-1")]
    private static let time = 1_795_350_000_000_000_000 as UInt64

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let signal: Signal
        let body: JSON

        init(_ description: String, _ signal: Signal, _ body: JSON) {
            testDescription = description
            self.signal = signal
            self.body = body
        }

        static func event(
            _ description: String, _ name: String, _ key: String, _ value: JSON, resource: [(String, JSON)] = [],
        ) -> Case {
            let event = OTLPBody.Event(
                name: name, time: StoredValueTests.time, attributes: [("session.id", "s"), (key, value)])
            return Case(description, .logs, OTLPBody.logs(StoredValueTests.phone + resource, [event]))
        }

        static func frames(_ description: String, _ points: [[String]], screen: JSON = "Cart") -> Case {
            let dataPoints = points.enumerated().map { index, counts in
                JSON.object([
                    "attributes": OTLPBody.attributes([(AttributeKey.appScreenName, screen)]),
                    "timeUnixNano": .string(String(StoredValueTests.time + UInt64(index))), "count": "1",
                    "explicitBounds": .array([0.0167, 0.7][..<(counts.count - 1)].map(JSON.number)),
                    "bucketCounts": .array(counts.map(JSON.string)),
                ])
            }
            let metric: JSON = [
                "name": .string(MetricName.frameDuration), "unit": "s",
                "histogram": ["aggregationTemporality": 1, "dataPoints": .array(dataPoints)],
            ]
            return Case(
                description, .metrics,
                [
                    "resourceMetrics": [
                        [
                            "resource": ["attributes": OTLPBody.attributes(StoredValueTests.phone)],
                            "scopeMetrics": [["metrics": [metric]]],
                        ]
                    ]
                ])
        }
    }

    static let cases: [Case] =
        [JSON.integer(2), 2.5].map {
            .event("a version that is a number", "e", "k", 1, resource: [(AttributeKey.serviceVersion, $0)])
        }
        + ["text", ["a"], .integer(.max)].map {
            .event("a hang of a strange duration", EventName.hang, AttributeKey.astrolabeHangDuration, $0)
        }
        + [
            .event("a late screen whose name is a number", EventName.appJank, AttributeKey.appScreenName, 7),
            .event("more late frames than there are", EventName.appJank, AttributeKey.appJankFrameCount, 1e300),
            .event("the longest frame as text", EventName.appJank, AttributeKey.astrolabeJankLongest, "long"),
            .frames("frames beyond the range of an integer", [["9223372036854775807", "1"]]),
            .frames("the same in two points", [["4611686018427387904", "0"], ["4611686018427387904", "0"]]),
            .frames("frames of a screen whose name is a number", [["1", "1"]], screen: 7),
        ]

    @Test(arguments: cases)
    func `a value of another type or size does not stop any page`(_ example: Case) async throws {
        try await ConsoleInProcess.run { console in
            try await console.send(example.body, to: example.signal)
            let paths = try await APICrawler(console: console).readEverything()
            #expect(paths.contains("health/releases"))
        }
    }

    @Test(arguments: ["NaN", "Infinity", "-Infinity"])
    func `a duration that is not a number does not stop any page`(_ duration: String) async throws {
        try await ConsoleInProcess.run { console in
            let record: JSON = [
                "timeUnixNano": .string(String(Self.time)), "eventName": .string(EventName.hang),
                "attributes": [
                    ["key": .string(AttributeKey.astrolabeHangDuration), "value": ["doubleValue": .string(duration)]]
                ],
            ]
            let resource: JSON = ["attributes": OTLPBody.attributes(Self.phone)]
            try await console.send(
                ["resourceLogs": [["resource": resource, "scopeLogs": [["logRecords": [record]]]]]], to: .logs)
            try await APICrawler(console: console).readEverything()
            let group = try await console.get("/api/v1/health/groups?kind=hang")["groups"][0]
            #expect(group["count"].int == 1)
            #expect(group["longest"].isMissing)
        }
    }

    @Test
    func `a client span at the end of time with a server span at its beginning can be read`() async throws {
        try await ConsoleInProcess.run { console in
            let trace = String(repeating: "a", count: 32)
            let client = OTLPBody.Span(
                trace: trace, id: "0000000000000001", name: "GET", kind: 3, start: (1 << 63) - 1, end: .max)
            let server = OTLPBody.Span(
                trace: trace, id: "0000000000000002", parent: "0000000000000001", name: "GET", kind: 2, start: 0,
                end: 0)
            try await console.send(OTLPBody.traces(Self.phone, [client]), to: .traces)
            try await console.send(OTLPBody.traces([("service.name", "shop")], [server]), to: .traces)
            _ = try await APICrawler(console: console).readEverything()
        }
    }

    /// A file written before values were checked may have anything in any column.
    @Test
    func `a file whose columns hold other types can be opened and read`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let configuration = ConsoleUnderTest.configuration(in: folder)
        try await ConsoleInProcess.run(configuration) { console in
            var hostile = HostileTelemetry(seed: 3)
            for _ in 0..<12 {
                let (signal, body) = hostile.request(records: 10)
                try await console.send(body, to: signal)
            }
            _ = try await APICrawler(console: console).readEverything()
        }
        try DatabaseMutation.spoil(configuration.store.path)
        try await ConsoleInProcess.run(configuration) { console in
            _ = try await APICrawler(console: console).readEverything()
        }
    }

    /// Every type and magnitude in every place, through the real ingest into a real file.
    ///
    /// A failure names the seed; a run with that seed alone repeats it.
    @Test
    func `whatever is ingested, every page can be read`() async throws {
        let records = Thoroughness.count(600, thorough: 100_000)
        try await ConsoleInProcess.run { console in
            var hostile = HostileTelemetry(seed: 20_261_122)
            var sent = 0
            var nextReading = 2_500
            while sent < records {
                let (signal, body) = hostile.request(records: 20)
                try await console.send(body, to: signal)
                sent += 20
                // A thorough run also reads on the way, so that a failure is nearer to its cause.
                if sent >= nextReading {
                    try await APICrawler(console: console, limit: 10).readEverything()
                    nextReading *= 2
                }
            }
            let paths = try await APICrawler(console: console, limit: 60).readEverything()
            for prefix in ["sessions/", "traces/", "devices/", "health/groups/", "health/problems/"] {
                #expect(paths.contains { $0.hasPrefix(prefix) }, "nothing was stored for \(prefix)")
            }
            #expect(paths.contains { $0.contains("/replay/") })
        }
    }
}
