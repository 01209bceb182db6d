import Astrolabe
import Dispatch
import Foundation

/// The fixture's app: it starts the SDK as an app does, leaves traces of itself, and ends.
struct FixtureApp {
    private let telemetry: Telemetry
    private let ending: String
    private let folder: String

    init(folder: String, port: UInt16, ending: String) {
        var configuration = TelemetryConfiguration(serviceName: "health")
        configuration.serviceVersion = ProcessInfo.processInfo.environment["FIXTURE_VERSION"] ?? "1.2.3"
        configuration.storageDirectory = URL(fileURLWithPath: folder)
        configuration.endpoint = URL(string: "http://127.0.0.1:\(port)").map { OTLPEndpoint(url: $0) }
        configuration.sampler = ParentBasedSampler(root: AlwaysOnSampler())
        configuration.diagnose = { FileHandle.standardError.write(Data(($0 + "\n").utf8)) }
        let conditions = Conditions(
            network: .wifi, power: Power(level: 0.8, source: .unplugged), lifecycle: .launching, )
        configuration.conditions =
            ending == "while-starting" ? CrashingConditions() : SimulatedConditions(conditions)
        telemetry = Telemetry.start(configuration)
        self.ending = ending
        self.folder = folder
    }

    func run() {
        if ending == "report" { return report() }
        telemetry.conditions?.moveLifecycle(to: ending == "killed-in-background" ? .background : .active)
        telemetry.setScreen(name: "ProductDetail", id: "AstronomyShop.ProductDetailView")
        telemetry.setAttribute("demo.canary", to: "yellow")
        for number in 1...3 { telemetry.addBreadcrumb("step \(number)", category: "test") }
        leaveNotes()
        let tracer = telemetry.tracer("fixture")
        if ending == "inside-span" {
            tracer.withSpan("doomed") { span in
                leave("span", span.context.traceID.description + " " + span.context.spanID.description)
                CrashWays.end(by: "null-dereference")
            }
        }
        CrashWays.end(by: ending)
    }

    /// What the test compares the report with.
    private func leaveNotes() {
        leave("session", telemetry.session.current?.id ?? "")
        leave("pid", String(ProcessInfo.processInfo.processIdentifier))
    }

    private func leave(_ name: String, _ text: String) {
        try? Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/note-" + name))
    }

    /// Sends all that there is, for ten seconds at most.
    private func report() {
        let done = DispatchSemaphore(value: 0)
        Task.detached { [telemetry] in
            let end = ContinuousClock.now + .seconds(10)
            while await telemetry.flush().ledger.pending > 0, ContinuousClock.now < end {}
            await telemetry.shutdown()
            done.signal()
        }
        done.wait()
    }
}

/// Conditions whose monitor crashes as soon as the SDK starts it.
private struct CrashingConditions: ConditionsMonitor {
    let board = ConditionsBoard(Conditions())

    func start() { CrashWays.end(by: "null-dereference") }
    func stop() {}
}
