import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeTelemetryModel

extension Telemetry {
    /// Sets the user on every span and log record from now on, until another one is set or ``clearUser()`` is called.
    ///
    ///     telemetry.setUser(id: account.id, roles: ["buyer"])
    ///
    /// It replaces the user that was set before, with all attributes. Metrics do not carry the user. A new session
    /// keeps the user; call `session.reset()` to begin one with each user. The user is not stored: set it after each
    /// launch. While consent is denied, this does nothing, and a refusal clears the user.
    ///
    /// Values are redacted like any attribute: an e-mail address becomes `REDACTED`.
    /// ``RedactionOptions/recordedUserKeys`` lists the keys that are recorded as they are.
    ///
    /// - Parameters:
    ///   - id: `user.id`. Prefer an opaque identifier. At most 256 bytes, as each of the others.
    ///   - pseudonym: `enduser.pseudo.id`, a random identifier that is not connected with the person's identity.
    ///   - hash: `user.hash`.
    ///   - name: `user.name`, a short name or login.
    ///   - fullName: `user.full_name`.
    ///   - email: `user.email`.
    ///   - roles: `user.roles`; at most 16.
    public func setUser(
        id: String? = nil, pseudonym: String? = nil, hash: String? = nil, name: String? = nil, fullName: String? = nil,
        email: String? = nil, roles: [String] = [],
    ) {
        let attributes: Attributes = [
            AttributeKey.userID: id, AttributeKey.enduserPseudoID: pseudonym, AttributeKey.userHash: hash,
            AttributeKey.userName: name, AttributeKey.userFullName: fullName, AttributeKey.userEmail: email,
            AttributeKey.userRoles: roles,
        ]
        guard let core, consent != .denied else { return }
        let user = core.admittedUser(attributes)
        // Under the lock, so that a user that is set during a refusal does not outlive it.
        consents.withLock { consents in
            if consents.current != .denied { core.setUser(admitted: user) }
        }
    }

    /// Removes the user from the records from now on, as after a sign-out.
    public func clearUser() {
        core?.setUser([:])
    }
}
