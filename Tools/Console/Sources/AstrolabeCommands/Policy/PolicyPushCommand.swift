import ArgumentParser
import Foundation

/// The command that signs a policy and sends it to a console.
struct PolicyPushCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push", abstract: "Check and sign a policy, and send it to a console.",
        discussion: """
            Examples:
              astrolabe policy push policy.json --key policy.key --percentage 10
              astrolabe policy push policy.json --key policy.key --app-version '2.*' --system 'iOS 18*'

            The page Policy of the console changes the percentage later, without a new signature.
            """)

    @Argument(help: "The policy in JSON. Its version must be higher than those before it.")
    var file: String

    @Option(help: "The file of the private key, which `astrolabe policy keygen` makes.")
    var key: String

    @Option(help: "The share of the installations that get it, 0 to 100.")
    var percentage = 100.0

    @Option(
        name: .customLong("app-version"),
        help: "A service.version that it is for, with * for any characters. May be repeated. (default: all)")
    var appVersions: [String] = []

    @Option(
        name: .customLong("system"),
        help: "A name and version of a system, such as 'iOS 18*'. May be repeated. (default: all)")
    var systems: [String] = []

    @Option(
        name: .customLong("model"),
        help: "A device.model.identifier, such as 'iPhone17,*'. May be repeated. (default: all)")
    var models: [String] = []

    @Option(
        name: .customLong("installation"), help: "An installation id. May be repeated. (default: all)")
    var installations: [String] = []

    @OptionGroup var address: ConsoleAddress

    func validate() throws {
        guard (0...100).contains(percentage) else {
            throw ValidationError("--percentage: expected 0 to 100, found \(percentage)")
        }
    }

    func run() async throws {
        try await UserFacingErrors.run {
            let document = try await PolicySigner(keyFile: key).push(
                try PolicyFile(file),
                PolicySigner.Rollout(
                    percentage: percentage, appVersions: appVersions, systems: systems, models: models,
                    installations: installations), to: address)
            say("pushed \(document.summary), to \(PolicyStatusCommand.percent(percentage)) of its installations")
        }
    }
}
