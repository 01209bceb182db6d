import ConsoleModel

extension StoredPolicy {
    fileprivate func state(at time: Int64) -> String {
        if withdrawn != nil { return "withdrawn" }
        return isActive(at: time) ? "active" : "expired"
    }
}

extension JSONText {
    /// - Parameters:
    ///   - time: In seconds since 1970.
    ///   - isWhole: Whether the document is in it.
    mutating func append(_ policy: StoredPolicy, at time: Int64, isWhole: Bool) {
        object { text in
            text.member("app", policy.app)
            text.member("version", policy.version)
            text.member("hash", policy.hash)
            text.member("state", policy.state(at: time))
            text.member("pushedUs", policy.pushed * 1_000_000)
            text.member("expiresUs", policy.expires * 1_000_000)
            if let withdrawn = policy.withdrawn { text.member("withdrawnUs", withdrawn * 1_000_000) }
            text.member("bytes", policy.document.count)
            text.member("percentage") { $0.append(json: "\(policy.rollout.percentage)") }
            text.member("target") { $0.append(policy.rollout.target) }
            // It was read as JSON when it was pushed.
            if isWhole {
                text.member("document") { $0.append(json: String(decoding: policy.document, as: UTF8.self)) }
            }
        }
    }

    private mutating func append(_ target: PolicyTarget) {
        object { text in
            text.member("appVersions") { $0.array(target.appVersions) { $0.append($1) } }
            text.member("systems") { $0.array(target.systems) { $0.append($1) } }
            text.member("models") { $0.array(target.models) { $0.append($1) } }
            text.member("installations") { $0.array(target.installations) { $0.append($1) } }
        }
    }

    mutating func append(_ use: PolicyUse) {
        object { text in
            text.member("agents", use.agents)
            if use.polled > 0 { text.member("polledUs", use.polled * 1_000_000) }
            text.member("versions") { text in
                text.array(use.versions) { text, version in
                    text.object { text in
                        if let policy = version.policy { text.member("version", policy.version) }
                        text.member("hash", version.policy?.hash ?? version.offerHash)
                        text.member("agents", version.agents)
                    }
                }
            }
            text.member("refusals") { text in
                text.array(use.refusals) { text, refusal in
                    text.object { text in
                        if let version = refusal.version { text.member("version", version) }
                        text.member("message", refusal.message)
                        text.member("agents", refusal.agents)
                    }
                }
            }
        }
    }
}
