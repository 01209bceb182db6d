import ArgumentParser
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The command that records a release at a console.
struct ReleaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "release", abstract: "Record a release of an app: its version, its commit and its time.",
        discussion: """
            Charts over time have a mark at the release, and the page of the releases links to the commit. The same \
            release can be recorded again; what is new is added.

            A console with keys needs one for symbols in ASTROLABE_KEY.
            """)

    @Argument(help: "The version, as the app sends it in service.version.")
    var version: String

    @Option(help: "The value of service.name.")
    var service: String?

    @Option(help: "The build number.")
    var build: String?

    @Option(help: "The hash of the commit.")
    var commit: String?

    @Option(help: "The page of the repository, such as https://github.com/example/shop.")
    var repository: String?

    @Option(help: "When it was released, such as 2026-11-25T17:00:00Z; by default now.")
    var time: String?

    @OptionGroup var address: ConsoleAddress

    func run() async throws {
        try await UserFacingErrors.run {
            let members = [
                "service.version": version, "service.name": service, "astrolabe.app.build_number": build,
                "vcs.ref.head.revision": commit, "vcs.repository.url.full": repository, "time": time,
            ].compactMapValues { $0 }
            let (body, response) = try await address.post(try JSONEncoder().encode(members), to: "api/v1/releases")
            switch (response as? HTTPURLResponse)?.statusCode {
            case 200: say("recorded \(version)\(commit.map { ", commit \($0.prefix(7))" } ?? "")")
            case 404, 405:
                throw ConsoleAddress.Failure(description: "the console at \(address.console) records no releases")
            default: throw ConsoleAddress.failure(at: address.console, response, body)
            }
        }
    }
}
