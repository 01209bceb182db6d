/// Additions to the built-in rules on what is kept out of telemetry.
public struct RedactionOptions: Equatable, Sendable {
    /// Personal data that many apps need in their telemetry, so that the app must ask for its redaction.
    public enum PersonalData: Hashable, Sendable, CaseIterable {
        /// Telephone numbers, and values under keys such as `user.phone`.
        case phoneNumbers
        /// Addresses of IP version 4 and 6, and values under keys such as `client.address`. A version of four numbers,
        /// such as `1.2.3.4`, looks like an address.
        case ipAddresses
        /// A latitude with a longitude of three decimals or more, and values under keys such as `geo.location.lat`,
        /// numbers too.
        case locations
    }

    /// False records text as it is; for a test or a console of your own, never for an app in people's hands.
    public var isEnabled = true
    /// Keys whose values are replaced whole, compared without case, `_` and `-` by their last part: `"pin"` covers
    /// `user.pin` and `user.PIN`, not `spin`.
    public var secretKeys: Set<String> = []
    /// Personal data that is replaced too. Default none.
    public var personalData: Set<PersonalData> = []
    /// Texts that are replaced wherever they occur as whole words, without regard to case of ASCII letters. Default
    /// none.
    ///
    /// `#` stands for a digit, `@` for a letter, and `*` for one or more letters, digits, `-` and `_`. After a
    /// backslash, each stands for itself.
    ///
    ///     configuration.redaction.patterns = ["MRN-#######", "acct_*", "Ada Lovelace"]
    ///
    /// A pattern without a letter or a digit of its own is ignored. Each pattern reads every text once more.
    public var patterns: Set<String> = []
    /// Names of URL query items whose values may be recorded; all others are replaced.
    public var recordedQueryItems: Set<String> = []
    /// Keys of the user's identity whose values are recorded as they are, such as ``AttributeKey/userEmail``. Default
    /// none.
    ///
    /// Only `user.id`, `user.name`, `user.full_name`, `user.email`, `user.hash`, `user.roles`, `enduser.id` and
    /// `enduser.pseudo.id` can be listed. Any other key is redacted as if it were not listed.
    public var recordedUserKeys: Set<String> = []
    /// Reports to `onDiagnostic` what was replaced, in which attribute and by which rule. Default false.
    ///
    /// Debug builds and simulators only; other builds ignore it. Each line is reported once, and at most 200 lines. No
    /// line has what was replaced.
    public var reportsReplacements = false

    /// Creates the default options: redaction is on.
    public init() {}
}
