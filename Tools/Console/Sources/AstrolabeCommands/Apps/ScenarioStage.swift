import AstrolabePlatform
import ConsoleModel
import DeviceLink
import DeviceSimulator
import Foundation
import Logging
import TelemetryConsole

/// The phone, backend and console of one scenario, in a temporary folder.
final class ScenarioStage: Sendable {
    private let folder: URL
    private let phone: PhoneSimulator
    private let plug: ConsoleSwitch
    private let runner = Locked(ScenarioRunner?.none)
    private let crashLines = Locked<[String]>([])
    private let executable: URL
    private let symbols: URL
    /// The given backend; `nil` for the shop's.
    private let backend: AppBackend?
    private let isShop: Bool
    private let recorder = ShopRecorder()

    /// - Parameters:
    ///   - backend: The app's backend. Default: the shop's for the shop, otherwise none.
    ///   - helloTimeout: How long the app may take to say hello.
    ///   - device: The name of the device, unless the scenario names one; `nil` for the default.
    init(executable: URL, backend: AppBackend?, helloTimeout: Duration, device: String? = nil) throws {
        self.backend = backend
        self.executable = executable
        isShop = executable.lastPathComponent == AppExecutable.name
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("astrolabe-scenario-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var configuration = PhoneConfiguration(executable: executable, folder: folder.appendingPathComponent("phone"))
        configuration.helloTimeout = helloTimeout
        // Expectations do not depend on chance, unless the scenario sets another sampling.
        configuration.settings.sampling = .everything
        if let device { try configuration.settings.setDevice(named: device) }
        phone = PhoneSimulator(configuration)
        var console = ConsoleConfiguration(databasePath: folder.appendingPathComponent("console.sqlite").path)
        console.port = 0
        if isShop { console.store.milestones = .shop }
        if isShop, backend == nil { console.recorderServer = recorder.server }
        console.logger.logLevel = .error
        symbols = console.symbolsFolder
        plug = ConsoleSwitch(console)
    }

    func play(_ scenario: Scenario, report: @Sendable (Scenario.Step, Duration) -> Void) async throws {
        try await plug.plugIn()
        setenv("OTEL_EXPORTER_OTLP_ENDPOINT", await plug.address, 1)
        let isShopNeeded = isShop && backend == nil
        // The backend keeps its part of traces that are sampled out, and sends it if it fails.
        let shop =
            isShopNeeded
            ? try ChildProcess(
                "backend", arguments: ["shop-server", "--port", "0"], environment: recorder.environment) : nil
        let gate = CollectorGate(to: ServerAddress(port: await plug.port), of: phone)
        let outcome: Result<Void, any Error>
        do {
            let port = try await shop?.readyPort()
            if let port { recorder.listens(at: port) }
            let backend = if let port { AppBackend(port: port) } else { self.backend }
            let collectorPort = try await gate.start()
            try await phone.connect(
                backend: backend?.server, path: backend?.path ?? "", collector: ServerAddress(port: collectorPort))
            guard let store = await plug.store else { throw DemoFailure("the console has stopped") }
            var setFlags: ScenarioRunner.SetFlags?
            if let backend { setFlags = { try await backend.setFlags($0) } }
            let runner = ScenarioRunner(
                phone: phone, evidence: StoreEvidence(store), gate: gate, setFlags: setFlags)
            self.runner.withLock { $0 = runner }
            try await runner.play(scenario, report: report)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        // The app sends its last records before its collector is gone.
        await phone.switchOff()
        gate.stop()
        let lines = try? await CrashLines.read(from: plug.address, executable: executable, symbols: symbols)
        crashLines.withLock { $0 = lines ?? [] }
        await shop?.stop()
        try await plug.unplug()
        try outcome.get()
    }

    /// The hours of virtual time, and what became of the records in them; `nil` before the scenario has begun.
    var hours: (table: HourlyReport, account: String)? {
        guard let runner = runner.withLock({ $0 }) else { return nil }
        let parts = [runner.account?.description, runner.waits?.description].compactMap(\.self)
        return (runner.hours, parts.joined(separator: "\n\n"))
    }

    /// The crashes of the app whose reports have arrived, each with its line.
    var crashes: [String] { crashLines.withLock { $0 } }

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
