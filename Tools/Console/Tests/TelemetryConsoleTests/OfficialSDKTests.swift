import AstrolabeTelemetryModel
import AstrolabeTestSupport
import BrowserKit
import ConsoleStore
import Foundation
import TelemetryConsole
import Testing

/// Tests with the official Python SDK, which `./astrolabe test` installs.
private let python = ProcessInfo.processInfo.environment["ASTROLABE_PYTHON"]

@Suite(
    .enabled(
        if: python != nil,
        "ASTROLABE_PYTHON names no Python with Scripts/requirements.txt installed; ./astrolabe test makes one", ))
struct `The official Python SDK` {
    @Test func `exports spans, logs and metrics that the console shows`() async throws {
        try await ConsoleUnderTest.run { subject in
            let (status, printed) = try await Self.export(to: subject.address)
            #expect(status == 0)
            let id = try #require(TraceID(hex: printed.trimmingCharacters(in: .whitespacesAndNewlines)))
            let trace = try #require(try await subject.console.store.trace(id))
            #expect(trace.spans.map(\.span.name) == ["parent", "child"])
            #expect(trace.spans.map(\.depth) == [0, 1])
            #expect(trace.events.count == 1)
            let page = try await HTTP.request("GET", subject.address + "/api/v1/traces/\(id.hex)")
            for text in ["python-sdk", "a line of the official SDK", "ValueError", "happened"] {
                #expect(String(decoding: page.body, as: UTF8.self).contains(text), "\(text)")
            }
            let metrics = try await HTTP.request("GET", subject.address + "/api/v1/metrics")
            #expect(String(decoding: metrics.body, as: UTF8.self).contains("conformance.items"))
        }
    }

    private static func export(to address: String) async throws -> (status: Int32, printed: String) {
        let tools = Repository.file("Scripts/otlp-conformance/export.py")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(python))
        process.arguments = ["-B", tools.path, address]
        let output = Pipe()
        process.standardOutput = output
        let (exits, exit) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { exit.yield($0.terminationStatus) }
        try process.run()
        let status = try #require(await exits.first { _ in true })
        return (status, String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self))
    }
}
