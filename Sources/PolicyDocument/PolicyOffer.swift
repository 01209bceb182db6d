package import AstrolabeOpAMP

/// A signed document on its way: two entries of OpAMP's configuration map.
///
/// | entry | body | content type |
/// |---|---|---|
/// | `policy` | the exact bytes of the JSON | `application/json` |
/// | `policy.signature` | 64 bytes: the Ed25519 signature of those bytes | `application/octet-stream` |
package struct PolicyOffer: Equatable, Sendable {
    /// The bytes of the document.
    package var document: [UInt8]
    /// The signature of exactly these bytes; empty if there is none.
    package var signature: [UInt8]

    package static let documentEntry = "policy"
    package static let signatureEntry = "policy.signature"
    /// Bytes of a signature.
    package static let signatureSize = 64

    package init(document: [UInt8], signature: [UInt8]) {
        self.document = document
        self.signature = signature
    }

    /// The offer in a configuration; `nil` if it has no entry `policy`.
    package init?(_ configuration: AgentRemoteConfig) {
        guard let document = configuration.entries[Self.documentEntry]?.body else { return nil }
        self.init(document: document, signature: configuration.entries[Self.signatureEntry]?.body ?? [])
    }

    /// The configuration that carries the offer. Its hash is that of both parts, so that a client gets a document that
    /// was signed again.
    package var configuration: AgentRemoteConfig {
        AgentRemoteConfig(
            entries: [
                Self.documentEntry: AgentRemoteConfig.File(body: document, contentType: "application/json"),
                Self.signatureEntry: AgentRemoteConfig.File(
                    body: signature, contentType: "application/octet-stream"),
            ], hash: SHA256.digest(document + signature))
    }
}
