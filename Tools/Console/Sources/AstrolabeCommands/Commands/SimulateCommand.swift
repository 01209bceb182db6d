import ArgumentParser
import AstrolabePlatform
import ConsoleModel
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

    @OptionGroup var app: AppOptions

    @Flag(help: "Print each step and its duration.")
    var verbose = false

    func run() async throws {
        try await UntilStopped.run(isSupervised: false) {
            try await UserFacingErrors.run {
                let files = try scenarios.flatMap { try self.files(at: $0) }
                // Read all files before running the first, so that a syntax error in the last one shows at once.
                let plays = try files.map { (file: $0, scenario: try read($0)) }
                let given = try await app.executable()
                let backend = try await app.startBackend()
                defer { backend?.stop() }
                var failures = 0
                for play in plays {
                    let executable = try given ?? AppExecutable.find(play.scenario.app ?? AppExecutable.name)
                    let stage = try ScenarioStage(
                        executable: executable, backend: backend, helloTimeout: .seconds(app.helloTimeout),
                        device: app.device)
                    if try await !self.play(play.scenario, of: play.file, on: stage) { failures += 1 }
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
    private func play(_ scenario: Scenario, of file: URL, on stage: ScenarioStage) async throws -> Bool {
        let name = "\(file.lastPathComponent)  \(scenario.name)"
        let start = ContinuousClock.now
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
        for crash in stage.crashes { say("crash   \(crash)") }
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
