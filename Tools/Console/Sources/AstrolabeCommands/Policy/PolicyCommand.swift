import ArgumentParser
import AstrolabePolicyDocument
import Foundation
import TelemetryConsole

/// The command that makes, checks and pushes policies.
struct PolicyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy", abstract: "Sign policies for the devices of an app, and see which device has which.",
        discussion: """
            A policy is a JSON document: Docs/remote-policy.schema.json. Devices follow it if it has the signature of \
            a key whose public part is in the app. Docs/Guide/RemotePolicy.md explains all of it.

            A console with keys needs a viewer's key in ASTROLABE_KEY.
            """,
        subcommands: [
            Keygen.self, Lint.self, PolicyPreviewCommand.self, PolicyPushCommand.self, PolicyPromoteCommand.self,
            PolicyStatusCommand.self,
        ])

    struct Keygen: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a key to sign policies, and print its public part.",
            discussion: """
                The private key is a file that only you may read. Keep it off the console. The public part goes into \
                the app's configuration, in base64.
                """)

        @Argument(help: "The file for the private key, which must not exist.")
        var file: String

        func run() async throws {
            try await UserFacingErrors.run {
                let signing = try PolicySigner.signing()
                let key = signing.makeKey()
                try PolicyKeyFile(path: file).create(key)
                say(Data(signing.publicKey(key) ?? []).base64EncodedString())
                sayError("The private key is in \(file). Put the printed public key into the app's configuration.")
            }
        }
    }

    struct Lint: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check policies, each for itself.",
            discussion: "The exit status is 1 if a file has a fault. The bounds of an app are not known here.")

        @Argument(help: "Policies in JSON.")
        var files: [String]

        @Flag(help: "Print the result as JSON.")
        var json = false

        func run() async throws {
            try await UserFacingErrors.run {
                let files = try files.map { try PolicyFile($0) }
                if json {
                    say(try Self.json(files))
                } else {
                    for file in files {
                        if let document = file.reading.document { say("\(file.path): \(document.summary)") }
                        if !file.faults.isEmpty { sayError(file.faults) }
                    }
                }
                guard files.allSatisfy({ $0.reading.document != nil }) else { throw ExitCode.failure }
            }
        }

        private struct FileResult: Encodable {
            struct Finding: Encodable {
                let path: String
                let problem: String
            }

            let file: String
            let app: String?
            let version: Int?
            let hash: String?
            let findings: [Finding]
        }

        private static func json(_ files: [PolicyFile]) throws -> String {
            let results = files.map { file in
                let document = file.reading.document
                return FileResult(
                    file: file.path, app: document?.app, version: document?.version, hash: document?.hash,
                    findings: file.reading.findings.map { FileResult.Finding(path: $0.path, problem: $0.problem) })
            }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(results), as: UTF8.self)
        }
    }
}
