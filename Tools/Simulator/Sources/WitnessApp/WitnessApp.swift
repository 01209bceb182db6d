import Astrolabe
import AstrolabeDeviceConditions
import AstrolabePlatform
import DeviceLink
import Dispatch
import Foundation
import ViewTree

/// An app in virtual time whose records can be accounted for one by one.
///
/// It is started by a simulated phone and has the buttons `pay`, `burst`, `crash`, `crash-next-launch` and `errors`.
@main
struct WitnessApp: Sendable {
    private let link: AppLink
    private let conditions: SimulatedConditions
    private let time: VirtualTime
    private let modem: Modem
    private let telemetry: Telemetry
    private let life: DailyLife
    private let crashLoop: CrashLoop

    static func main() async {
        do {
            let app = try await WitnessApp()
            await app.run()
        } catch {
            FileHandle.standardError.write(Data("witness-app: \(error)\n".utf8))
            exit(1)
        }
    }

    private init() async throws {
        let environment = ProcessInfo.processInfo.environment
        guard let path = environment["ASTROLABE_DEVICE_LINK"], let storage = environment["ASTROLABE_APP_STORAGE"],
            let notes = environment["ASTROLABE_WITNESS"], let address = environment["OTEL_EXPORTER_OTLP_ENDPOINT"]
        else {
            throw StartError(description: "expected to be started by a simulated phone; see Docs/Guide/Scenarios.md")
        }
        link = try AppLink.connect(path: path)
        let processID = Int(ProcessInfo.processInfo.processIdentifier)
        link.send(.hello(AppHello(name: "witness-app", appVersion: "1.0.0", processID: processID)))
        guard case .begin(let begin)? = await link.messages.first(where: { _ in true }), let clock = begin.clock else {
            throw StartError(description: "expected a device in virtual time: the scenario needs `time: virtual`")
        }
        let time = VirtualTime(clock)
        let modem = Modem(time)
        var initial = begin.conditions
        initial.lifecycle = .launching
        conditions = SimulatedConditions(initial)
        var configuration = TelemetryConfiguration(serviceName: "witness-app")
        configuration.endpoint = URL(string: address).map { OTLPEndpoint(url: $0) }
        configuration.serviceVersion = "1.0.0"
        configuration.storageDirectory = URL(fileURLWithPath: storage, isDirectory: true)
        configuration.conditions = conditions
        configuration.treatsLoopbackAsReachable = false
        configuration.sampling = .everything
        // The wait is in real time, and a busy machine must not end it.
        configuration.health.launchCrashTimeout = .seconds(60)
        telemetry = Telemetry.start(
            configuration, transport: modem, time: time.ofDelivery, recordsHealth: true)
        modem.endStart()
        let witness = try RecordNotes(path: notes) { time.uptime }
        life = DailyLife(telemetry, time: time, witness: witness)
        crashLoop = CrashLoop(path: notes + ".crashes")
        self.time = time
        self.modem = modem
    }

    private struct StartError: Error, CustomStringConvertible {
        let description: String
    }

    private func run() async {
        conditions.moveLifecycle(to: .active)
        if crashLoop.takeCrash() { abort() }
        Task { await life.run() }
        await rest()
        await report()
        link.send(.screen(Self.screen))
        for await message in link.messages {
            switch message {
            case .begin, .settings, .open, .resource: break
            case .screen: link.send(.screen(Self.screen))
            case .conditions(let update):
                if let lifecycle = update.lifecycle { life.move(toFront: lifecycle == .active) }
                conditions.apply(update)
            case .event(let event): handle(event)
            case .clock(let clock): await advance(to: clock)
            case .keepRecording: telemetry.keepRecording(reason: "phone")
            case .terminate: await end()
            }
        }
        await end()
    }

    private static let buttons = ["pay", "burst", "crash", "crash-next-launch", "errors"]

    private static let screen = RenderedTree(
        revision: 1,
        root: RenderedNode(
            id: 1, kind: .window,
            children: buttons.enumerated().map { index, name in
                RenderedNode(
                    id: index + 2, kind: .button, properties: ["identifier": .string(name), "label": .string(name)],
                    actions: [.tap])
            },
        ),
    )

    private func handle(_ event: NumberedEvent) {
        let index = Int(event.event.node) - 2
        guard event.event.action == .tap, Self.buttons.indices.contains(index) else {
            link.send(.outcome(EventReply(number: event.number, outcome: .gone)))
            return
        }
        if Self.buttons[index] == "crash-next-launch" { crashLoop.addCrash() }
        link.send(.outcome(EventReply(number: event.number, outcome: .handled)))
        switch Self.buttons[index] {
        case "pay": life.pay()
        case "burst": life.burst()
        case "errors": life.toggleErrors()
        case "crash": abort()
        default: break
        }
    }

    /// Goes from deadline to deadline, so that everything that is due happens at its time.
    private func advance(to clock: DeviceClock) async {
        time.learn(clock)
        await rest()
        while !clock.isLeap, time.moveToNextDeadline(until: clock.uptime) { await rest() }
        time.move(to: clock.uptime)
        await rest()
        await report()
        link.send(.clock(clock.uptime))
    }

    private func report() async { link.send(.status(await AppStatus(of: telemetry))) }

    /// Waits in real time until nothing is left to do before a later virtual time. No thread has work then, and
    /// delivery waits for nothing, or for a request that takes its time.
    private func rest() async {
        repeat { await OtherThreads.rest() } while await !isWaiting
    }

    private var isWaiting: Bool {
        get async {
            guard modem.inTransit == 0 else { return false }
            return await !telemetry.isFlushing || modem.held > 0
        }
    }

    /// Ends in order. Time passes as fast as the requests allow.
    private func end() async -> Never {
        life.move(toFront: false)
        let passing = Task {
            while !Task.isCancelled {
                await rest()
                _ = time.moveToNextDeadline()
            }
        }
        conditions.moveLifecycle(to: .terminated)
        await telemetry.shutdown()
        passing.cancel()
        await report()
        await link.finish()
        _exit(0)
    }
}
