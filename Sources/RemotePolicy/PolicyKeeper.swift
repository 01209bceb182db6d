import AstrolabePolicy
import AstrolabePolicyDocument

/// The documents of an installation and the requests in them, as a value: which one is in force, and what it asks for.
struct PolicyKeeper {
    private let gate: PolicyGate
    private let installation: String
    /// The document of the highest version, in force or not.
    private var newest: PolicyDocument?
    /// The last good document.
    private(set) var current: PolicyDocument?
    /// When each request was carried out, in seconds since 1970, by the hash of its id.
    private(set) var carriedOut: [String: Int64]

    /// - Parameter stored: The stored document. One that does not hold any more is only remembered for its version.
    init(
        _ gate: PolicyGate, installation: String, stored: PolicyOffer?, carriedOut: [String: Int64], at now: Int64,
    ) {
        self.gate = gate
        self.installation = installation
        self.carriedOut = carriedOut
        guard let stored else { return }
        switch gate.decide(stored, after: nil, at: now) {
        case .success(let document): (current, newest) = (document, document)
        case .failure(.expired), .failure(.beyondBounds): newest = PolicyDocument.read(stored.document).document
        // Damaged, or another app's.
        case .failure: break
        }
    }

    /// The document in force; `nil` if there is none, or if it has expired.
    func inForce(at now: Int64) -> PolicyDocument? { current.flatMap { $0.expires > now ? $0 : nil } }

    /// The part of the document in force that the policy takes into account; `nil` if there is none.
    func policy(at now: Int64) -> RemotePolicy? {
        guard let document = inForce(at: now) else { return nil }
        var policy = document.policy
        policy.recordsInFull = document.requests.contains { request in
            guard request.kind == .record, request.installation == installation,
                let start = carriedOut[Self.key(request)]
            else { return false }
            return now >= start && now - start < Int64(request.seconds)
        }
        return policy
    }

    /// Takes an offer, or says why it is refused. The last good document stays if it is.
    ///
    /// - Returns: The requests to carry out now. They count as carried out from now on.
    mutating func take(
        _ offer: PolicyOffer, at now: Int64,
    ) -> Result<[PolicyDocument.Request], PolicyRefusal> {
        switch gate.decide(offer, after: newest, at: now) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let document):
            (current, newest) = (document, document)
            let due = document.requests.filter { request in
                request.installation == installation && carriedOut[Self.key(request)] == nil
            }
            for request in due { carriedOut[Self.key(request)] = now }
            return .success(due)
        }
    }

    private static func key(_ request: PolicyDocument.Request) -> String {
        PolicyDocument.hash(of: Array(request.id.utf8))
    }
}
