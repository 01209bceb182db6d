package import AstrolabePolicy

/// A document of remote policy: JSON of version 1 of `Docs/remote-policy.schema.json`.
///
///     let reading = PolicyDocument.read(bytes)
///     guard let document = reading.document else { return print(reading.findings) }
///     document.policy.samplingRates.normal    // 0.05
///
/// The server signs the exact bytes. They name the app, the version and the end, so the signature covers those too.
package struct PolicyDocument: Equatable, Sendable {
    /// The `service.name` that it is for.
    package var app: String
    /// Grows with each document for the app. An older one is refused.
    package var version: Int
    /// Seconds since 1970 from which it does not hold.
    package var expires: Int64
    package var policy: RemotePolicy
    package var requests: [Request] = []
    /// Names the document: 32 hexadecimal digits, the first half of its SHA-256. The resource attribute
    /// `astrolabe.policy.version` of a phone that follows it.
    package var hash: String { policy.hash }

    /// The version of the schema that this code reads.
    package static let schema = 1
    /// The most bytes of a document.
    package static let sizeLimit = 65_536
    /// The most seconds for which an installation can be asked to record in full.
    package static let longestRecording = 86_400

    /// A request to one installation, which carries it out once.
    package struct Request: Equatable, Sendable {
        package enum Kind: String, Hashable, Sendable, CaseIterable {
            /// Send what the flight recorder has.
            case promote
            /// Record each session for some time.
            case record
        }

        /// The name by which an installation knows that it has carried it out.
        package var id: String
        package var kind: Kind
        /// The `app.installation.id`.
        package var installation: String
        /// Seconds of a recording, from when the installation gets the document; 0 for others.
        package var seconds: Int
    }

    /// The result of reading: the document, or all that is wrong with it.
    package struct Reading: Equatable, Sendable {
        /// `nil` if there are findings.
        package let document: PolicyDocument?
        package let findings: [PolicyFinding]
    }

    /// Reads a document and finds all that is wrong with it, alone: without regard to the time, an app or its bounds.
    package static func read(_ bytes: [UInt8]) -> Reading {
        guard bytes.count <= sizeLimit else {
            let problem = "expected at most \(sizeLimit) bytes, found \(bytes.count)"
            return Reading(document: nil, findings: [PolicyFinding("$", problem)])
        }
        do throws(PolicyFinding) {
            var reader = PolicyReader()
            let document = reader.document(try StrictJSON(bytes), hash: hash(of: bytes))
            return Reading(document: reader.findings.isEmpty ? document : nil, findings: reader.findings)
        } catch {
            return Reading(document: nil, findings: [error])
        }
    }

    /// The name of the document with these bytes.
    package static func hash(of bytes: [UInt8]) -> String { Array(SHA256.digest(bytes).prefix(16)).hex }
}
