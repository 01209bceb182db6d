import AstrolabePlatform
import AstrolabeTestSupport
import BrowserKit
import Foundation
import Testing

@testable import AstrolabeCommands

@Suite(.timeLimit(.minutes(5))) struct `An export` {
    private let folder = TemporaryDirectory()
    private var database: String { folder.path + "/console.sqlite" }
    private var file: String { folder.path + "/telemetry" }

    init() throws {
        try PrivateFiles.makeDirectory(folder.path)
    }

    /// A session with a trace, another one of another service, and records of neither.
    private static let requests: [(path: String, body: JSON)] = [
        ("traces", traces("shop", session: "s-1", trace: "a1", start: 1_000)),
        ("traces", traces("backend", session: nil, trace: "a1", start: 2_000)),
        ("traces", traces("shop", session: "s-2", trace: "b2", start: 3_000)),
        (
            "logs",
            [
                "resourceLogs": [
                    [
                        "resource": ["attributes": [["key": "service.name", "value": ["stringValue": "shop"]]]],
                        "scopeLogs": [
                            [
                                "logRecords": [
                                    ["timeUnixNano": "4000", "eventName": "alone"],
                                    [
                                        "timeUnixNano": "5000", "eventName": "tap",
                                        "attributes": [["key": "session.id", "value": ["stringValue": "s-1"]]],
                                    ],
                                ]
                            ]
                        ],
                    ]
                ]
            ],
        ),
        (
            "metrics",
            [
                "resourceMetrics": [
                    [
                        "scopeMetrics": [
                            [
                                "metrics": [
                                    [
                                        "name": "orders",
                                        "gauge": ["dataPoints": [["timeUnixNano": "6000", "asInt": "7"]]],
                                    ]
                                ]
                            ]
                        ]
                    ]
                ]
            ],
        ),
    ]

    private static func traces(_ service: String, session: String?, trace: String, start: Int) -> JSON {
        let attributes: [JSON] = session.map { [["key": "session.id", "value": ["stringValue": .string($0)]]] } ?? []
        let span: JSON = [
            "traceId": .string(String(repeating: trace, count: 16)), "spanId": .string("000000000000\(start)"),
            "name": .string("\(service) \(start)"), "startTimeUnixNano": .string(String(start)),
            "endTimeUnixNano": .string(String(start + 1)), "attributes": .array(attributes),
        ]
        let resource: JSON = ["attributes": [["key": "service.name", "value": ["stringValue": .string(service)]]]]
        return ["resourceSpans": [["resource": resource, "scopeSpans": [["spans": [span]]]]]]
    }

    private func fill(_ address: String) async throws {
        for (path, body) in Self.requests {
            let response = try await HTTP.request(
                "POST", "\(address)/v1/\(path)", headers: ["Content-Type": "application/json"], body: body.bytes)
            #expect(response.status == 200)
        }
    }

    private func contents(_ file: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: file)) }

    @Test(
        .enabled(if: EveryField.isAvailable, "needs the Python that ./astrolabe test installs"),
        arguments: [[], ["traces", "logs", "metrics"]])
    func `of a running console, imported by another one, is the same export there`(signals: [String]) async throws {
        // The export reads while another process has the database open.
        let console = try await RunningConsole(database: database, [])
        try await fill("http://127.0.0.1:\(console.port)")
        for (signal, request) in try EveryField.requests() {
            let response = try await HTTP.request(
                "POST", "http://127.0.0.1:\(console.port)/v1/\(signal)",
                headers: ["Content-Type": "application/x-protobuf"], body: request.body)
            #expect(response.status == 200)
        }
        let other = folder.path + "/other.sqlite"
        let second = try await ConsoleSwitch.listening(on: other)
        for signal in signals.isEmpty ? [nil] : signals.map(Optional.some) {
            let option = signal.map { ["--signal", $0] } ?? []
            let (file, copy) = (file + (signal ?? ""), file + (signal ?? "") + "-copy")
            let export = await CommandInProcess.run(["export", file, "--database", database] + option)
            #expect(export.status == 0, "\(export.output)")
            #expect(export.output.hasSuffix("records\n"), "\(export.output)")
            #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
            let imported = await CommandInProcess.run(["import", file, "--console", await second.address] + option)
            #expect(imported.status == 0, "\(imported.output)")
            let again = await CommandInProcess.run(["export", copy, "--database", other] + option)
            #expect(again.status == 0, "\(again.output)")
            #expect(try contents(copy) == contents(file))
            #expect(try contents(file).count > 40)
        }
        try await second.unplug()
        console.terminate()
        #expect(await console.status() == 0)
    }

    @Test func `has the records that fulfil all conditions, also of a console that has stopped`() async throws {
        try await ConsoleSwitch.run(on: database) { try await fill($0) }
        let all: Set<String> = ["shop 1000", "backend 2000", "shop 3000", "alone", "tap", "orders"]
        let cases: [(options: [String], expected: Set<String>)] = [
            ([], all), (["--session", "s-1"], ["shop 1000", "backend 2000", "tap"]),
            (["--service", "shop"], ["shop 1000", "shop 3000", "alone", "tap"]),
            (["--trace", String(repeating: "A1", count: 16)], ["shop 1000", "backend 2000"]),
            (["--session", "s-1", "--service", "backend"], ["backend 2000"]),
            (
                ["--time", "from 1970-01-01 to 1970-01-01T00:00:00.0000045Z"],
                ["shop 1000", "backend 2000", "shop 3000", "alone"],
            ),
        ]
        for (number, (options, expected)) in cases.enumerated() {
            let file = file + String(number)
            let export = await CommandInProcess.run(["export", file, "--database", database] + options)
            #expect(export.output == "\(file): exported \(expected.count) records\n")
            let text = String(decoding: try contents(file), as: UTF8.self)
            #expect(all.filter { text.contains("\"\($0)\"") } == expected, "\(options)")
        }
    }

    @Test func `that fails says why and leaves no file`() async throws {
        try await ConsoleSwitch.run(on: database) { try await fill($0) }
        let occupied = folder.path + "/occupied"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: occupied))
        let missing = folder.path + "/none.sqlite"
        for (file, options, reason) in [
            (file, ["--session", "nobody"], "no record matches"), (occupied, [], "\(occupied) exists"),
            (folder.path + "/none/file", [], "cannot write to"), (file, ["--database", missing], "does not exist"),
            (file, ["--trace", "a1"], "expected 32 hexadecimal digits"), (file, ["--time", "lately"], "--time: "),
            (file, ["--signal", "profiles"], "expected traces, logs or metrics"),
        ] {
            let database = options.contains("--database") ? [] : ["--database", database]
            let export = await CommandInProcess.run(["export", file] + database + options)
            #expect(export.status != 0)
            #expect(export.output.contains(reason), "\(export.output)")
        }
        #expect(try contents(occupied) == Data("mine".utf8))
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let others = files.filter { !$0.hasPrefix("console.sqlite") && $0 != "alerts.json" }
        #expect(others == ["occupied"], "\(files)")
    }
}
