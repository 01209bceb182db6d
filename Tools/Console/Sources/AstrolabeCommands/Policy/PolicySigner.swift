import AstrolabePolicyDocument
import Foundation
import TelemetryConsole

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Signs documents and sends them to a console.
struct PolicySigner {
    private let key: [UInt8]
    private let signing: PolicySigning

    /// The installations that get a document at first; by default all.
    struct Rollout {
        var percentage = 100.0
        var appVersions: [String] = []
        var systems: [String] = []
        var models: [String] = []
        var installations: [String] = []
    }

    /// - Parameter keyFile: The path of the private key.
    init(keyFile: String) throws {
        signing = try Self.signing()
        key = try PolicyKeyFile(path: keyFile).read()
    }

    /// The signatures of this program.
    ///
    /// - Throws: If it is built without them.
    static func signing() throws -> PolicySigning {
        guard let signing = CommandShell.current.capabilities.signing else {
            throw PolicyFile.Failure(
                description: "this program is built without signatures; use ./astrolabe policy, which has them")
        }
        return signing
    }

    /// Signs a document and sends it.
    ///
    /// - Returns: The document.
    func push(_ file: PolicyFile, _ rollout: Rollout, to console: ConsoleAddress) async throws -> PolicyDocument {
        let document = try file.document()
        let signature = signing.sign(file.bytes, key) ?? []
        let body = Push(
            document: Data(file.bytes), signature: Data(signature), percentage: rollout.percentage,
            target: Push.Target(
                appVersions: rollout.appVersions, systems: rollout.systems, models: rollout.models,
                installations: rollout.installations))
        let (answer, response) = try await console.post(try JSONEncoder().encode(body), to: "api/v1/policies")
        guard (response as? HTTPURLResponse)?.statusCode == 201 else {
            throw ConsoleAddress.failure(at: console.console, response, answer)
        }
        return document
    }

    private struct Push: Encodable {
        struct Target: Encodable {
            let appVersions: [String]
            let systems: [String]
            let models: [String]
            let installations: [String]
        }

        let document: Data
        let signature: Data
        let percentage: Double
        let target: Target
    }
}
