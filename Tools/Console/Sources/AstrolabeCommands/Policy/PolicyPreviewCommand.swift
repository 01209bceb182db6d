import ArgumentParser
import AstrolabePolicyDocument
import FleetSimulator
import Foundation

/// The command that simulates a fleet without a policy and with it.
struct PolicyPreviewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview", abstract: "Show what a policy would do to a simulated fleet.",
        discussion: """
            Simulates the same phones twice, as the SDK's defaults have it and with the policy, and prints records, \
            bytes and requests. Rates, flush intervals and admission count, and the kill switch of spans. Triggers, \
            other kill switches and requests are not simulated.
            """)

    @Argument(help: "The policy in JSON.")
    var file: String

    @Option(help: "The number of phones.")
    var devices = 200

    @Option(help: "The hours of virtual time to simulate, starting at 06:00.")
    var hours = 24

    @Option(help: "The seed of the random number generator.")
    var seed: UInt64 = 7

    func validate() throws {
        guard (1...100_000).contains(devices) else {
            throw ValidationError("--devices: expected 1 to 100000, found \(devices)")
        }
        guard (1...336).contains(hours) else { throw ValidationError("--hours: expected 1 to 336, found \(hours)") }
    }

    func run() async throws {
        try await UntilStopped.run(isSupervised: false) { [file, devices, hours, seed] in
            try await UserFacingErrors.run {
                let document = try PolicyFile(file).document()
                var settings = FleetSettings()
                settings.devices = devices
                settings.hours = hours
                settings.seed = seed
                settings.jobs = ProcessInfo.processInfo.activeProcessorCount
                let before = try await FleetSimulation(settings).run()
                settings.remote = document.policy
                let after = try await FleetSimulation(settings).run()
                say(before.comparison(with: after, titles: ("as configured", "version \(document.version)")))
                guard before.isSound, after.isSound else { throw ExitCode.failure }
            }
        }
    }
}
