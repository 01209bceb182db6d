import ArgumentParser
import ConsoleAccess
import Foundation
import ServerSupport
import TelemetryConsole

/// The command that makes, lists and revokes the keys of a console.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Manage who may send to a console, ask it for policies, see its pages and upload symbols.",
        discussion: """
            A console whose file has a key requires one from everyone. A running console follows a change within a \
            second.
            """,
        subcommands: [Create.self, List.self, Revoke.self])

    struct Options: ParsableArguments {
        @OptionGroup var files: ConsoleFiles

        @Option(help: "The file of the keys. (default: keys.json, next to the database)")
        var file: String?

        var place: URL { file.map { URL(fileURLWithPath: $0) } ?? files.file("keys.json") }
        var folder: URL { place.deletingLastPathComponent() }
        var keys: KeyFile { KeyFile(path: place.path, digest: CommandShell.current.capabilities.digest) }

        func audit(_ entry: AuditLog.Entry) {
            AuditLog(path: folder.appendingPathComponent("audit.jsonl").path).write(entry)
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a key and print it. It is shown once; only its SHA-256 is stored.",
            discussion: """
                Examples:
                  astrolabe keys create "shop app" --use ingest --service astronomy-shop
                  astrolabe keys create Ada --use view --expires 90d
                  astrolabe keys create "build server" --use symbols
                """)

        @OptionGroup var options: Options

        @Argument(help: "What or whom the key is for.")
        var name: String

        @Option(help: "What the key permits: ingest, policy, view or symbols.")
        var use: KeyUse

        @Option(
            name: .customLong("service"),
            help: "A service.name that a key of an app may name; may be given several times. (default: any)")
        var services: [String] = []

        @Option(help: "The mean number of requests in a second. (default: 500 for apps, 50 for view, 5 for symbols)")
        var rate: Double?

        @Option(
            help: """
                When the key stops being valid: 90d or 12h from now, or a time such as 2027-03-31T00:00:00Z. \
                (default: when it is revoked)
                """)
        var expires: String?

        func validate() throws {
            guard (1...100).contains(name.count), !name.contains(where: \.isNewline) else {
                throw ValidationError("NAME: expected 1 to 100 characters on one line")
            }
            if use != .ingest, use != .policy, !services.isEmpty {
                throw ValidationError(
                    "--service: expected only with --use ingest or --use policy; the other keys are for all services")
            }
            if let rate, !(0.1...1_000_000).contains(rate) {
                throw ValidationError("--rate: expected 0.1 to 1000000 requests in a second, found \(rate)")
            }
            if let expires, KeyExpiry(expires) == nil {
                throw ValidationError("--expires: \(KeyExpiry.expected), found \(expires)")
            }
        }

        func run() async throws {
            try await UserFacingErrors.run {
                try OwnerFiles.createFolder(options.folder)
                let (key, text) = try options.keys.create(
                    name, use: use, services: services.isEmpty ? nil : Set(services), requestsPerSecond: rate,
                    expires: expires.flatMap { KeyExpiry($0)?.time })
                let end = key.expires.map { ", expires \($0.formatted(.iso8601))" } ?? ""
                options.audit(AuditLog.Entry("key-created", key: key.id, detail: "\(use.rawValue) \(name)\(end)"))
                say(text)
                sayError(Self.advice(key) + " It is in \(options.place.path), which is that of the console beside it.")
            }
        }

        private static func advice(_ key: AccessKey) -> String {
            let use =
                switch key.use {
                case .ingest: "Send it as the header Authorization: Bearer KEY, or x-honeycomb-team."
                case .policy: "Put it in the app, for the requests to /v1/opamp: Authorization: Bearer KEY."
                case .view: "Sign in with it at /sign-in, or set ASTROLABE_KEY for the commands of astrolabe."
                case .symbols: "Set ASTROLABE_KEY to it for astrolabe symbols upload."
                }
            let end = key.expires.map { " It expires at \($0.formatted(.iso8601))." } ?? ""
            return "Key \(key.id) for \(key.use.rawValue). It is not shown again.\(end) \(use)"
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the keys, oldest first, with their ends and when they were used last.",
            discussion: "A running console stores once a minute when keys were used.")

        @OptionGroup var options: Options

        func run() async throws {
            try await UserFacingErrors.run {
                let keys = try options.keys.keys()
                if keys.isEmpty { say("No keys in \(options.place.path). Run `astrolabe keys create` to make some.") }
                let uses = options.keys.lastUses()
                for key in keys { say(Self.line(key, lastUse: uses[key.id])) }
            }
        }

        private static func line(_ key: AccessKey, lastUse: Date?) -> String {
            let services = key.services.map { ", " + $0.sorted().joined(separator: ", ") } ?? ""
            let use = lastUse.map { "last used \($0.formatted(.iso8601))" } ?? "no use recorded"
            return "\(key.id)  \(key.use.rawValue)  \(key.name)\(services)  \(state(of: key))  \(use)"
        }

        private static func state(of key: AccessKey) -> String {
            if let revoked = key.revoked { return "revoked \(day(revoked))" }
            let start = "valid since \(day(key.created))"
            guard let expires = key.expires else { return start }
            let end = expires.formatted(.iso8601)
            return key.isExpired(at: Date()) ? "expired \(end)" : "\(start), expires \(end)"
        }

        private static func day(_ date: Date) -> String { date.formatted(.iso8601.year().month().day()) }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Revoke a key.")

        @OptionGroup var options: Options

        @Argument(help: "The key's id, as `astrolabe keys list` shows it.")
        var id: String

        func run() async throws {
            try await UserFacingErrors.run {
                let key = try options.keys.revoke(id)
                options.audit(AuditLog.Entry("key-revoked", key: key.id, detail: "\(key.use.rawValue) \(key.name)"))
                say(
                    """
                    Revoked \(key.id), \(key.use.rawValue), \(key.name), in \(options.place.path). A running console \
                    refuses it within a second.
                    """)
            }
        }
    }
}

extension KeyUse: ExpressibleByArgument {}
