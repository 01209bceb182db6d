/// The user of the app. These identify people: they are recorded only if the app sets them.
extension AttributeKey {
    /// The user's identifier in the app's system.
    ///
    /// String, such as `u-5157782b`. In development.
    public static let userID = "user.id"

    /// The user's short name or login.
    ///
    /// String, such as `a.einstein`. In development.
    public static let userName = "user.name"

    /// The user's full name.
    ///
    /// String, such as `Albert Einstein`. In development.
    public static let userFullName = "user.full_name"

    /// The user's e-mail address.
    ///
    /// String, such as `a.einstein@example.com`. In development.
    public static let userEmail = "user.email"

    /// A hash that stands for the user where the identifier is confidential.
    ///
    /// String, such as `364fc68eaf4c8acec74a4e52d7d1feaa`. In development.
    public static let userHash = "user.hash"

    /// The user's roles at the time.
    ///
    /// String, list, such as `["admin", "buyer"]`. In development.
    public static let userRoles = "user.roles"

    /// The user's identifier, as `user.id`, under the name for people who use an app.
    ///
    /// String, such as `a.einstein`. In development.
    public static let enduserID = "enduser.id"

    /// A random identifier of the user that is not connected with the person's identity.
    ///
    /// String, such as `QdH5CAWJgqVT4rOr0qtumf`. In development.
    public static let enduserPseudoID = "enduser.pseudo.id"
}
