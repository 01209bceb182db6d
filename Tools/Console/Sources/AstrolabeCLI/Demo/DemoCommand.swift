import ArgumentParser
import Foundation
import ServerSupport
import Symbolication
import TelemetryConsole

/// Everything at once: the console, the shop's backend and somebody who goes shopping.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Run the phone with the shop on it, the backend and the console.", )

    @OptionGroup var console: ConsoleOptions

    @Option(help: "The backend's port; 0 takes a free one.")
    var shopPort = 0

    @Flag(help: "Make one trip, check that its telemetry has arrived, and end; non-zero where it has not.")
    var once = false

    @Flag(help: "With --once: unplug the console during the trip, and check that nothing was lost by it.")
    var unplugged = false

    @Option(help: "Decides what is bought; random where none is given.")
    var seed: UInt64?

    func validate() throws {
        guard (0...65_535).contains(shopPort) else {
            throw ValidationError("--shop-port: expected 0 to 65535, found \(shopPort)")
        }
        if unplugged, !once {
            throw ValidationError("--unplugged: expected --once with it; without --once, type u to unplug the console")
        }
    }

    func run() async throws {
        try await UntilStopped.run(isSupervised: false) {
            try await UserFacingErrors.run {
                do {
                    try await start(consolePort: console.port ?? ConsoleOptions.defaultPort)
                } catch ListeningError.addressInUse(_, let port) where console.port == nil {
                    say("Port \(port) is taken, so the console takes a free one.")
                    try await start(consolePort: 0)
                }
            }
        }
    }

    /// The console outlives the stage, so that what the backend and the shopper say last still arrives.
    private func start(consolePort: Int) async throws {
        let phone = once ? nil : try DemoPhone(folder: console.folder.appendingPathComponent("phone"))
        let configuration = try console.configuration(port: consolePort)
        let plug = ConsolePlug(configuration, guests: phone.map { [$0.guest] } ?? [])
        try await plug.plugIn()
        if let phone {
            // Tens of megabytes are copied after each build; nobody needs them before the first crash.
            Task.detached { phone.keepSymbols(in: SymbolStore(folder: configuration.symbolsFolder)) }
        }
        let outcome: Result<Void, any Error>
        do {
            let stage = DemoStage(
                plug: plug, phone: phone, consoleURL: await plug.address, shopPort: shopPort, seed: seed, )
            try await stage.run(once ? (unplugged ? .onceUnplugged : .once) : .untilStopped)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        try await plug.unplug()
        try outcome.get()
    }
}
