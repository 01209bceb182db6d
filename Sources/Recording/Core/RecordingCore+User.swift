import AstrolabeSemantics
package import AstrolabeTelemetryModel

/// The attributes of a user's identity.
enum UserKeys {
    static let all: Set<String> = [
        AttributeKey.userID, AttributeKey.userName, AttributeKey.userFullName, AttributeKey.userEmail,
        AttributeKey.userHash, AttributeKey.userRoles, AttributeKey.enduserID, AttributeKey.enduserPseudoID,
    ]
    /// Bytes of a text, and of each role.
    static let textLimit = 256
    static let roleLimit = 16
}

extension RecordingCore {
    /// Sets the user on all spans and log records from now on, in one step; no attributes mean no user.
    ///
    /// Only the attributes of `UserKeys` are set. They are redacted unless the app has listed them. While consent is
    /// denied, none is set.
    package func setUser(_ attributes: Attributes) { setUser(admitted: admittedUser(attributes)) }

    /// The attributes of a user as they may be recorded. The redactor may report to the app.
    package func admittedUser(_ attributes: Attributes) -> Attributes {
        var bounded = Attributes()
        for element in attributes where UserKeys.all.contains(element.key) {
            bounded[element.key] = boundedIdentity(element.value, key: element.key)
        }
        return bounded
    }

    /// Sets what ``admittedUser(_:)`` returned. Calls nothing of the app.
    package func setUser(admitted user: Attributes) {
        guard user.isEmpty || periods.isPermitted else { return }
        ambient.update { own in
            for key in UserKeys.all { own[key] = nil }
            own = own.merging(user)
        }
    }

    private func boundedIdentity(_ value: AttributeValue, key: String) -> AttributeValue? {
        switch value {
        case .string(let text):
            // Redacted before it is cut, so that no part of an address remains.
            text.isEmpty ? nil : .string(admitted(text, key: key).truncated(toUTF8: UserKeys.textLimit))
        case .array(let values):
            values.isEmpty
                ? nil : .array(values.prefix(UserKeys.roleLimit).compactMap { boundedIdentity($0, key: key) })
        case .empty, .bool, .int, .double, .bytes, .map: nil
        }
    }
}
