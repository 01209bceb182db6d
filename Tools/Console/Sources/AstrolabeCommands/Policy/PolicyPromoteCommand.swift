import ArgumentParser
import Foundation

/// The command that asks one installation for what its flight recorder has.
struct PolicyPromoteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "promote", abstract: "Ask one installation to send what its flight recorder has.",
        discussion: """
            Pushes the newest policy of the app again with a request to the installation and a higher version, to this \
            installation alone. The installation gets it with its next poll.
            """)

    @Argument(help: "The installation id, as the page of the device shows it.")
    var installation: String

    @Option(help: "The service.name of the app.")
    var app: String

    @Option(help: "The file of the private key, which `astrolabe policy keygen` makes.")
    var key: String

    @OptionGroup var address: ConsoleAddress

    func run() async throws {
        try await UserFacingErrors.run {
            let signer = try PolicySigner(keyFile: key)
            let stored = try AppPolicies(try await address.get(AppPolicies.path(of: app)))
            let text = try stored.request(to: installation, id: UUID().uuidString.lowercased())
            let file = PolicyFile(path: "the policy with the request", bytes: Array(text))
            let rollout = PolicySigner.Rollout(installations: [installation])
            let document = try await signer.push(file, rollout, to: address)
            say("asked \(installation) for its flight recorder with \(document.summary)")
        }
    }
}
