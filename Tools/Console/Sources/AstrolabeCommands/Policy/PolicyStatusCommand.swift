import ArgumentParser
import Foundation

/// The command that shows which devices have which policy.
struct PolicyStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the policies of a console, and which devices have which.")

    @Argument(help: "The service.name of an app. (default: all)")
    var app: String?

    @Flag(help: "Print the console's answers as JSON, one app on each line.")
    var json = false

    @OptionGroup var address: ConsoleAddress

    func run() async throws {
        try await UserFacingErrors.run {
            let apps = try await names()
            if apps.isEmpty, !json { say("No policy was pushed, and no device has asked for one.") }
            for name in apps {
                let body = try await address.get(AppPolicies.path(of: name))
                if json {
                    say(String(decoding: body, as: UTF8.self))
                } else {
                    say(Self.text(try AppPolicies(body)))
                }
            }
        }
    }

    private func names() async throws -> [String] {
        if let app { return [app] }
        let list = try JSONDecoder().decode(AppList.self, from: try await address.get("api/v1/policies"))
        return list.apps.map(\.app)
    }

    static func percent(_ percentage: Double) -> String {
        percentage == percentage.rounded() ? "\(Int(percentage)) %" : "\(percentage) %"
    }

    private static func devices(_ count: Int) -> String { count == 1 ? "1 device" : "\(count) devices" }

    /// Writes what a console lists of an app, for a terminal. A device may name any app and give any reason.
    static func text(_ status: AppPolicies) -> String {
        var lines = ["\(QueryTable.printable(status.app)): \(devices(status.use.agents))"]
        for policy in status.policies {
            let users = status.use.versions.first { $0.version == policy.version }?.agents ?? 0
            let end = Date(timeIntervalSince1970: Double(policy.expiresUs) / 1e6).formatted(.iso8601)
            lines.append(
                "  version \(policy.version)  \(policy.state)  \(percent(policy.percentage))  \(devices(users))  "
                    + "until \(end)  \(policy.hash)")
        }
        for version in status.use.versions where version.version == nil {
            let name = version.hash.isEmpty ? "no policy" : "a policy that is not stored here"
            lines.append("  \(name)  \(devices(version.agents))")
        }
        for refusal in status.use.refusals {
            let version = refusal.version.map { "version \($0)" } ?? "a policy"
            let message = QueryTable.printable(refusal.message)
            lines.append("  \(version) was refused by \(devices(refusal.agents)): \(message)")
        }
        return lines.joined(separator: "\n")
    }
}

private struct AppList: Decodable {
    struct App: Decodable {
        let app: String
    }

    let apps: [App]
}
