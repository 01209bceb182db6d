/// What is kept out of telemetry beside the built-in rules.
public struct RedactionOptions: Hashable, Sendable {
    /// False records text as it is; for a test or a console of your own, never for an app in people's hands.
    public var isEnabled = true
    /// Keys whose values are replaced whole, compared without case by their last part: `"pin"` covers `user.pin`.
    public var secretKeys: Set<String> = []
    /// Names of URL query items whose values may be recorded; all others are replaced.
    public var recordedQueryItems: Set<String> = []

    public init() {}
}

/// Keeps secrets and personal data out of every record, before they are encoded.
///
/// Replaced with `REDACTED`:
/// - values under a key that names a secret (`authorization`, `cookie`, `password`, `token`, `cvv`, `email`, ...);
/// - payment card numbers: 13 to 19 digits, alone or in groups, that pass the Luhn check (ISO/IEC 7812-1);
/// - a security code of 3 or 4 digits after a name such as `cvv` or `creditCardCvv`;
/// - e-mail addresses;
/// - `Bearer` and `Basic` credentials;
/// - in URLs, user information and the values of query items that are not allowed by name.
///
/// Most text holds none of the characters that could begin any of these, which one pass over its bytes tells.
package struct Redactor: Sendable {
    package static let replacement = "REDACTED"

    private let isEnabled: Bool
    private let secretKeys: Set<String>
    private let recordedQueryItems: Set<String>

    package init(_ options: RedactionOptions = RedactionOptions()) {
        isEnabled = options.isEnabled
        secretKeys = Set(options.secretKeys.map { $0.lowercased() })
        recordedQueryItems = options.recordedQueryItems
    }

    /// True where nothing needs to be looked for in this text: the common case, decided in one pass.
    @inline(__always)
    package func isClean(_ text: String, key: String) -> Bool {
        guard isEnabled else { return true }
        return !isSecret(key: key) && !SuspicionScan.isSuspicious(text)
    }

    /// The text without what must not be recorded.
    package func redacted(_ text: String, key: String) -> String {
        guard isEnabled else { return text }
        if isSecret(key: key) { return Self.replacement }
        guard SuspicionScan.isSuspicious(text) else { return text }
        return SensitiveText(text).redacted(recordedQueryItems: recordedQueryItems, isQuery: key == "url.query")
    }

    /// Whether a value under this key is secret whatever it says.
    package func isSecret(key: String) -> Bool {
        guard isEnabled else { return false }
        if SecretKeys.mayBeSecret(key), SecretKeys.builtIn.contains(SecretKeys.lastPart(of: key)) { return true }
        return !secretKeys.isEmpty && secretKeys.contains(SecretKeys.lastPart(of: key))
    }
}

/// The names of things that are secret by their nature.
enum SecretKeys {
    static let builtIn: Set<String> = [
        "authorization", "proxyauthorization", "cookie", "setcookie", "password", "passwd", "secret", "token",
        "accesstoken", "refreshtoken", "apikey", "cvv", "cvc", "cardnumber", "creditcardnumber", "creditcardcvv",
        "email", "useremail",
    ]

    /// Says no for most keys by their last letter, which is all that the span path pays for.
    @inline(__always)
    static func mayBeSecret(_ key: String) -> Bool {
        key.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.last.map { lastLetters & (1 << UInt32($0 & 31)) != 0 } ?? false
        } ?? true
    }

    private static let lastLetters: UInt32 = builtIn.reduce(0) { mask, name in
        mask | (name.utf8.last.map { 1 << UInt32($0 & 31) } ?? 0)
    }

    /// What follows the last dot, in lower case and without `_` and `-`.
    static func lastPart(of key: String) -> String {
        let part = key.split(separator: ".").last ?? key[...]
        return part.filter { $0 != "_" && $0 != "-" }.lowercased()
    }
}
