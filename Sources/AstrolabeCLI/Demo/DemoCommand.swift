import ArgumentParser
import ConsoleStore
import Foundation
import TelemetryConsole

/// Everything at once: the console, the shop's backend and somebody who goes shopping.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Run the shop, its backend and the console, and go shopping.", )

    @OptionGroup var console: ConsoleOptions

    @Option(help: "The backend's port; 0 takes a free one.")
    var shopPort = 0

    @Flag(help: "Make one trip, check that its telemetry has arrived, and end; non-zero where it has not.")
    var once = false

    @Option(help: "Decides what is bought; random where none is given.")
    var seed: UInt64?

    func validate() throws {
        guard (0...65_535).contains(shopPort) else {
            throw ValidationError("--shop-port: expected 0 to 65535, found \(shopPort)")
        }
    }

    func run() async throws {
        try await UntilStopped.run(isSupervised: false) {
            try await Explained.run {
                do {
                    try await start(consolePort: console.port ?? ConsoleOptions.defaultPort)
                } catch ConsoleError.addressInUse(_, let port) where console.port == nil {
                    say("Port \(port) is taken, so the console takes a free one.")
                    try await start(consolePort: 0)
                }
            }
        }
    }

    /// The console outlives the stage, so that what the backend and the shopper say last still arrives.
    private func start(consolePort: Int) async throws {
        let server = try await ConsoleServer(try console.configuration(port: consolePort))
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let listening = Task {
            defer { port.finish() }
            try await server.run { port.yield($0) }
        }
        var outcome: Result<Void, any Error> = .success(())
        for await bound in ports {
            let stage = DemoStage(
                consoleURL: "http://\(server.configuration.host):\(bound)", store: server.store, shopPort: shopPort,
                seed: seed, )
            do { try await stage.run(once: once) } catch { outcome = .failure(error) }
            break
        }
        listening.cancel()
        try await listening.value
        try outcome.get()
    }
}
