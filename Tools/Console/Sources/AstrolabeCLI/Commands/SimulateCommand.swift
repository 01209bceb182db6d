import ArgumentParser
import AstrolabePlatform
import ConsoleStore
import DeviceSimulator
import Foundation
import Logging
import TelemetryConsole

/// The command that runs scenarios: user actions on a phone and the expected results.
struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate", abstract: "Run scenarios on a simulated phone and check their expectations.",
        discussion:
            "Each scenario has its own phone, backend and console. Docs/Guide/Scenarios.md describes the language.",
    )

    @Argument(help: "Scenario files (YAML), or folders that contain them.")
    var scenarios = ["Examples/AstronomyShop/Scenarios"]

    @Option(help: "The executable of another app that supports the device link.")
    var app: String?

    @Flag(help: "Print each step and its duration.")
    var verbose = false

    func run() async throws {
        try await UntilStopped.run(isSupervised: false) {
            try await UserFacingErrors.run {
                let files = try scenarios.flatMap { try self.files(at: $0) }
                let given = app.map { URL(fileURLWithPath: $0) }
                // Read all files before running the first, so that a syntax error in the last one shows at once.
                let plays = try files.map { (file: $0, scenario: try read($0)) }
                var failures = 0
                for play in plays {
                    let executable = try given ?? AppExecutable.find(play.scenario.app ?? AppExecutable.name)
                    if try await !self.play(play.scenario, of: play.file, executable) { failures += 1 }
                }
                say("\(plays.count - failures) of \(plays.count) scenarios passed")
                if failures > 0 { throw ExitCode.failure }
            }
        }
    }

    private func files(at path: String) throws -> [URL] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw DemoFailure("\(path): no such file or folder")
        }
        guard isFolder.boolValue else { return [URL(fileURLWithPath: path)] }
        let folder = URL(fileURLWithPath: path, isDirectory: true)
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { ["yaml", "yml"].contains($0.pathExtension) }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
        guard !files.isEmpty else {
            throw DemoFailure("\(path): expected at least one scenario file (.yaml or .yml), found none")
        }
        return files
    }

    private func read(_ file: URL) throws -> Scenario {
        do {
            return try ScenarioReader.read(try String(contentsOf: file, encoding: .utf8))
        } catch {
            throw DemoFailure("\(file.relativePath): \(error)")
        }
    }

    /// - Returns: Whether the scenario passed.
    private func play(_ scenario: Scenario, of file: URL, _ executable: URL) async throws -> Bool {
        let name = "\(file.lastPathComponent)  \(scenario.name)"
        let start = ContinuousClock.now
        let stage = try ScenarioStage(executable: executable)
        let outcome: Result<Void, any Error>
        do {
            try await stage.play(scenario) { step, time in
                if verbose { say("  line \(step.line)  \(Int(time / .milliseconds(1))) ms") }
            }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        let (log, sent) = (stage.appLog, await stage.sent)
        if let (hours, account) = stage.hours, !hours.isEmpty { say("\n\(hours)\n\n\(account)\n") }
        stage.clear()
        switch outcome {
        case .success:
            let time = Int((ContinuousClock.now - start) / .milliseconds(1))
            say("passed  \(name)  (\(time) ms, \(sent))")
            return true
        case .failure(let failure as ScenarioRunner.Failure):
            say("failed  \(name)\n\(file.relativePath), \(failure)")
            if !log.isEmpty { say("App output:\n\(log)") }
            return false
        case .failure(let error): throw error
        }
    }
}

/// The phone, backend and console of one scenario, in a temporary folder.
private final class ScenarioStage: Sendable {
    private let folder: URL
    private let phone: PhoneSimulator
    private let plug: ConsolePlug
    private let runner = Locked(ScenarioRunner?.none)

    init(executable: URL) throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("astrolabe-scenario-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700], )
        phone = PhoneSimulator(
            PhoneConfiguration(executable: executable, folder: folder.appendingPathComponent("phone")))
        var console = ConsoleConfiguration(databasePath: folder.appendingPathComponent("console.sqlite").path)
        console.port = 0
        console.logger.logLevel = .error
        plug = ConsolePlug(console)
    }

    func play(_ scenario: Scenario, report: @Sendable (Scenario.Step, Duration) -> Void) async throws {
        try await plug.plugIn()
        setenv("OTEL_EXPORTER_OTLP_ENDPOINT", await plug.address, 1)
        let shop = try ChildProcess("backend", arguments: ["shop-server", "--port", "0"])
        let outcome: Result<Void, any Error>
        do {
            let shopPort = try await shop.readyPort()
            let gate = CollectorGate(to: ServerAddress(port: await plug.port), of: phone)
            let collectorPort = try await gate.start()
            defer { gate.stop() }
            try await phone.connect(
                shop: ServerAddress(port: shopPort), collector: ServerAddress(port: collectorPort), )
            guard let store = await plug.store else { throw DemoFailure("the console has stopped") }
            let runner = ScenarioRunner(phone: phone, evidence: StoreEvidence(store), gate: gate)
            self.runner.withLock { $0 = runner }
            try await runner.play(scenario, report: report)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await phone.switchOff()
        await shop.stop()
        try await plug.unplug()
        try outcome.get()
    }

    /// The hours of virtual time, and what became of the records in them; `nil` before the scenario has begun.
    var hours: (table: HourTable, account: String)? {
        runner.withLock { $0 }.map { ($0.hours, $0.account?.description ?? "") }
    }

    /// The bytes and requests that the app's telemetry used, as the app last reported them.
    var sent: String {
        get async {
            let (bytes, requests) = await phone.uploads
            return "sent \(bytes) bytes in \(requests) requests"
        }
    }

    /// The last 20 lines of the app's output.
    var appLog: String {
        let log = folder.appendingPathComponent("phone/app.log")
        let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").suffix(20).joined(separator: "\n")
    }

    func clear() {
        try? FileManager.default.removeItem(at: folder)
    }
}
