/// Decides whether a phone follows a document, as a value.
///
///     let gate = PolicyGate(app: "my-app", bounds: bounds) { signature, document in … }
///     switch gate.decide(offer, after: current, at: now) {
///     case .success(let document): apply(document)
///     case .failure(let refusal): report(refusal.description)
///     }
package struct PolicyGate: Sendable {
    private let app: String
    private let bounds: RemotePolicyBounds
    private let isSigned: @Sendable (_ signature: [UInt8], _ document: [UInt8]) -> Bool

    /// - Parameters:
    ///   - app: The `service.name` of the app.
    ///   - bounds: The most that a document may ask for.
    ///   - isSigned: Returns true if the signature of 64 bytes is that of the app's key over exactly these bytes.
    package init(
        app: String, bounds: RemotePolicyBounds,
        isSigned: @escaping @Sendable (_ signature: [UInt8], _ document: [UInt8]) -> Bool,
    ) {
        self.app = app
        self.bounds = bounds
        self.isSigned = isSigned
    }

    /// Returns the document, or why it is refused.
    ///
    /// - Parameters:
    ///   - current: The document of the highest version so far, expired or not; `nil` if there was none.
    ///   - now: Seconds since 1970.
    package func decide(
        _ offer: PolicyOffer, after current: PolicyDocument?, at now: Int64,
    ) -> Result<PolicyDocument, PolicyRefusal> {
        guard offer.document.count <= PolicyDocument.sizeLimit else { return .failure(.tooLarge) }
        guard !offer.signature.isEmpty else { return .failure(.unsigned) }
        guard offer.signature.count == PolicyOffer.signatureSize, isSigned(offer.signature, offer.document) else {
            return .failure(.wrongSignature)
        }
        let reading = PolicyDocument.read(offer.document)
        guard let document = reading.document else { return .failure(.invalid(reading.findings)) }
        guard document.app == app else { return .failure(.otherApp(document.app)) }
        guard document.expires > now else { return .failure(.expired) }
        if let current, document.version < current.version || document.version == current.version,
            document.hash != current.hash
        {
            return .failure(.replayed(version: document.version, current: current.version))
        }
        let excess = document.findings(within: bounds)
        return excess.isEmpty ? .success(document) : .failure(.beyondBounds(excess))
    }
}

/// Why a document is refused.
package enum PolicyRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    case tooLarge
    case unsigned
    case wrongSignature
    case invalid([PolicyFinding])
    case otherApp(String)
    case expired
    case replayed(version: Int, current: Int)
    case beyondBounds([PolicyFinding])

    /// A word for a counter.
    package var reason: String {
        switch self {
        case .tooLarge: "too_large"
        case .unsigned: "unsigned"
        case .wrongSignature: "wrong_signature"
        case .invalid: "invalid"
        case .otherApp: "other_app"
        case .expired: "expired"
        case .replayed: "replayed"
        case .beyondBounds: "beyond_bounds"
        }
    }

    /// The error message of the status that the server gets: at most 5 findings.
    package var description: String {
        switch self {
        case .tooLarge: "The document has more than \(PolicyDocument.sizeLimit) bytes"
        case .unsigned: "The document has no signature. Expected the entry \(PolicyOffer.signatureEntry)."
        case .wrongSignature: "The signature is not that of the app's key over the bytes of the document"
        case .invalid(let findings): "The document is invalid. \(Self.text(findings))"
        case .otherApp(let app): "The document is for another app, \"\(app)\""
        case .expired: "The document has expired"
        case .replayed(let version, let current):
            "The document has version \(version). Expected a version after \(current)."
        case .beyondBounds(let findings): "The document asks for more than the app allows. \(Self.text(findings))"
        }
    }

    private static func text(_ findings: [PolicyFinding]) -> String {
        let rest = findings.count > 5 ? "; \(findings.count - 5) more" : ""
        return findings.prefix(5).map(\.description).joined(separator: "; ") + rest
    }
}
