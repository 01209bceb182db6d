import Astrolabe
import AstrolabePlatform
import AstrolabeTestSupport
import Foundation
import Testing

@Suite(.serialized) struct `Telemetry.start` {
    private let lines = Locked<[String]>([])

    private func configuration(_ name: String, in folder: TemporaryDirectory) -> TelemetryConfiguration {
        var configuration = TelemetryConfiguration(serviceName: name)
        configuration.storageDirectory = URL(fileURLWithPath: folder.path)
        configuration.health.isEnabled = false
        configuration.onDiagnostic = { [lines] line in lines.withLock { $0.append(line) } }
        return configuration
    }

    @Test func `returns the running instance a second time and says so, until that is shut down`() async {
        let folder = TemporaryDirectory()
        let first = Telemetry.startUnreachable(configuration("first", in: folder))
        let second = Telemetry.startUnreachable(configuration("second", in: folder))
        #expect(first === second)
        #expect(Telemetry.shared === first)
        #expect(lines.withLock { $0.last }?.contains("was called again") == true)
        #expect(lines.withLock { $0.last }?.contains("\"second\"") == true)
        await first.shutdown(timeout: .zero)
        let third = Telemetry.startUnreachable(configuration("third", in: folder))
        #expect(third !== first)
        await third.shutdown(timeout: .zero)
    }

    @Test func `says where records go, in which mode, and what is sampled`() async {
        let folder = TemporaryDirectory()
        let telemetry = Telemetry.startUnreachable(configuration("shop", in: folder))
        let line = lines.withLock { $0.first } ?? ""
        #expect(line.hasPrefix("Started \"shop\", endpoint: http://localhost:4318, mode: "))
        #expect(line.contains("sampling: 100 % (debug build or simulator)."))
        await telemetry.shutdown(timeout: .zero)
    }

    @Test func `says why nothing is sent`() async {
        let folder = TemporaryDirectory()
        var disabled = configuration("shop", in: folder)
        disabled.isEnabled = false
        _ = Telemetry.startUnreachable(disabled)
        #expect(lines.withLock { $0.last }?.hasPrefix("Disabled: nothing is recorded or sent.") == true)
        var local = configuration("shop", in: folder)
        local.endpoint = nil
        await Telemetry.startUnreachable(local).shutdown(timeout: .zero)
        #expect(lines.withLock { $0.contains { $0.contains("Nothing is sent: no endpoint is configured.") } })
        var unlucky = configuration("shop", in: folder)
        unlucky.sampling = .ratio(0)
        await Telemetry.startUnreachable(unlucky).shutdown(timeout: .zero)
        #expect(lines.withLock { $0.contains { $0.contains("This session is sampled out") } })
    }

    @Test func `names the signals that are not recorded`() async throws {
        let folder = TemporaryDirectory()
        let configuration = try TelemetryConfiguration.load(environment: ["OTEL_LOGS_EXPORTER": "none"]) {
            $0.storageDirectory = URL(fileURLWithPath: folder.path)
            $0.health.isEnabled = false
            $0.onDiagnostic = { [lines] line in lines.withLock { $0.append(line) } }
        }
        await Telemetry.startUnreachable(configuration).shutdown(timeout: .zero)
        let line = lines.withLock { $0.first }
        #expect(line?.hasSuffix(". No log records are recorded: OTEL_LOGS_EXPORTER is none.") == true)
    }

    @Test func `says that a replay is turned on that the app does not have`() async throws {
        let folder = TemporaryDirectory()
        let configuration = try TelemetryConfiguration.load(environment: ["ASTROLABE_REPLAY": "on"]) {
            $0.storageDirectory = URL(fileURLWithPath: folder.path)
            $0.health.isEnabled = false
            $0.onDiagnostic = { [lines] line in lines.withLock { $0.append(line) } }
        }
        await Telemetry.startUnreachable(configuration).shutdown(timeout: .zero)
        #expect(lines.withLock { $0.first }?.contains("No replay is recorded") == true)
    }

    @Test(.timeLimit(.minutes(5))) func `sends the first span of a debug build without a flush by hand`() async {
        let folder = TemporaryDirectory()
        let receiver = Receiver()
        var configuration = configuration("shop", in: folder)
        configuration.transport = receiver
        configuration.policy.flushIntervals.full = .seconds(3_600)
        configuration.policy.flushIntervals.normal = .seconds(3_600)
        let telemetry = Telemetry.start(configuration)
        telemetry.tracer("shop").withSpan("first") { _ in }
        await receiver.firstSpan()
        await telemetry.shutdown(timeout: .zero)
    }
}
