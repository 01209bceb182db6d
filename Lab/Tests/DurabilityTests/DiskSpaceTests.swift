import Astrolabe
import AstrolabeDeviceConditions
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTestSupport
import Foundation
import Testing

/// The whole SDK on a disk with little space, at the start or from some moment on, while the collector works.
///
/// `./astrolabe test --thorough` prints a row for each of 128 windows of free space, in both ways.
@Suite(.serialized, .enabled(if: SmallDisk.isPossible, "mounting a file system needs root on Linux"))
struct `A nearly full disk` {
    private static let step = 16_384
    private static let count = 2_000

    /// The fate of the records in one window.
    private struct Row: CustomStringConvertible {
        var window: Int
        var promised: Int
        var missing: Int
        var dropped: Int
        var lines: [String]

        var reportsLosses: Bool { lines.contains { $0.hasPrefix("Lost ") } }

        static let head = "| free KiB | promised | delivered | dropped | diagnosed |\n|---|---|---|---|---|"

        var description: String {
            let said = reportsLosses ? "losses" : lines.contains { $0.contains("in memory only") } ? "memory" : "-"
            return "| \(window / 1_024) | \(promised) | \(promised - missing) | \(dropped) | \(said) |"
        }
    }

    private static var windows: [Int] {
        stride(from: 0, to: 128, by: Thoroughness.count(9, thorough: 1)).map { $0 * step }
    }

    @Test func `at the start loses nothing that memory can hold, and says what it loses`() async throws {
        try await check(isRunning: false)
    }

    @Test func `from a moment on loses nothing that memory can hold, and says what it loses`() async throws {
        try await check(isRunning: true)
    }

    private func check(isRunning: Bool) async throws {
        let collector = try TestCollector()
        defer { collector.kill() }
        print(isRunning ? "The disk fills up while the app runs:" : "The disk is nearly full at the start:")
        print(Row.head)
        for window in Self.windows {
            let row = try await row(window, isRunning: isRunning, collector)
            print(row)
            #expect(row.missing == 0, "\(row) \(row.lines)")
            #expect(row.dropped == 0, "\(row) \(row.lines)")
            #expect(row.dropped == 0 || row.reportsLosses, "\(row) \(row.lines)")
        }
    }

    private func row(_ window: Int, isRunning: Bool, _ collector: TestCollector) async throws -> Row {
        let folder = TemporaryDirectory()
        let disk = try SmallDisk(at: folder.path, kilobytes: 8_192)
        if !isRunning { try disk.fill(leaving: window) }
        let lines = Locked<[String]>([])
        let configuration = try configuration(in: folder.path + "/app", collector, lines)
        let telemetry = Telemetry.start(configuration, transport: configuration.transport, recordsHealth: true)
        var number = UInt64(window / Self.step) << 20
        let first = number
        if isRunning {
            record(200, from: &number, telemetry)
            await telemetry.flush()
            try disk.fill(leaving: window)
        }
        // Half of them between two flushes, and the rest with flushes in between.
        record(Self.count / 2, from: &number, telemetry)
        for _ in 0..<4 {
            await telemetry.flush()
            record(Self.count / 8, from: &number, telemetry)
        }
        let report = await telemetry.shutdown(timeout: .seconds(60))
        let missing = Set(first..<number).subtracting(collector.log.delivered)
        withExtendedLifetime(disk) {}
        return Row(
            window: window, promised: Int(number - first), missing: missing.count,
            dropped: report.ledger.dropped.values.reduce(0, +), lines: lines.withLock { $0 })
    }

    private func configuration(
        in folder: String, _ collector: TestCollector, _ lines: Locked<[String]>,
    ) throws -> TelemetryConfiguration {
        var configuration = TelemetryConfiguration(serviceName: "durability")
        configuration.storageDirectory = URL(fileURLWithPath: folder)
        configuration.endpoint = OTLPEndpoint(url: try #require(URL(string: "http://127.0.0.1:\(collector.port)")))
        configuration.sampler = ParentBasedSampler(root: AlwaysOnSampler())
        configuration.conditions = SimulatedConditions(
            Conditions(network: .wifi, power: Power(level: 0.8, source: .unplugged), lifecycle: .active)
        )
        configuration.flushInterval = .seconds(3_600)
        configuration.onDiagnostic = { line in lines.withLock { $0.append(line) } }
        return configuration
    }

    /// Spans and events of all priorities, of some hundred bytes each.
    private func record(_ count: Int, from number: inout UInt64, _ telemetry: Telemetry) {
        let tracer = telemetry.tracer("fixture")
        let events = telemetry.logger("fixture")
        let text = String(repeating: "a word ", count: 20)
        for _ in 0..<count {
            let attributes: Attributes = ["fixture.number": Int64(number), "demo.text": text]
            switch number % 4 {
            case 0: events.emit("demo.failed", severity: .error, attributes: attributes)
            case 1: events.emit("demo.detail", severity: .debug, attributes: attributes)
            default: tracer.withSpan("work", attributes: attributes) { _ in }
            }
            number += 1
        }
    }
}
