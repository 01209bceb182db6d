/// What is kept out of telemetry beside the built-in rules.
public struct RedactionOptions: Hashable, Sendable {
    /// False records text as it is; for a test or a console of your own, never for an app in people's hands.
    public var isEnabled = true
    /// Keys whose values are replaced whole, compared without case, `_` and `-` by their last part: `"pin"` covers
    /// `user.pin` and `user.PIN`, not `spin`.
    public var secretKeys: Set<String> = []
    /// Names of URL query items whose values may be recorded; all others are replaced.
    public var recordedQueryItems: Set<String> = []
    /// Keys of the user's identity whose values are recorded as they are, such as ``AttributeKey/userEmail``. Default
    /// none.
    ///
    /// Only `user.id`, `user.name`, `user.full_name`, `user.email`, `user.hash`, `user.roles`, `enduser.id` and
    /// `enduser.pseudo.id` can be listed. Any other key is redacted as if it were not listed.
    public var recordedUserKeys: Set<String> = []

    /// Creates the default options: redaction is on.
    public init() {}
}

/// Keeps secrets and personal data out of every record, before they are encoded.
///
/// Replaced with `REDACTED`:
/// - values under a key that names a secret (`authorization`, `cookie`, `password`, `token`, `cvv`, `email`, ...), and
///   within a text what such a name is given, as in JSON, forms and headers;
/// - payment card numbers: 13 to 19 digits, alone or in groups, that begin as a network's numbers do and pass the Luhn
///   check (ISO/IEC 7812-1);
/// - a security code of 3 or 4 digits after `cvv` or `cvc`;
/// - e-mail addresses;
/// - `Bearer` and `Basic` credentials;
/// - in URLs and in paths with a query, user information and the values of query items that are not allowed by name.
///
/// A number without a fraction is checked as a text of digits, and bytes that are valid UTF-8 as a text. If one holds
/// something sensitive, the whole value is replaced. Other bytes are recorded as they are.
///
/// Values under the keys of a user's identity that the app lists (`recordedUserKeys`) are recorded as they are.
///
/// Percent-encoding, nested too, does not hide any of them. Most text holds none of the characters that could begin
/// one, which a pass or two over its bytes tell without allocating.
package struct Redactor: Sendable {
    package static let replacement = "REDACTED"

    private let isEnabled: Bool
    private let names: SecretNames
    private let recordedQueryItems: Set<String>
    private let recordedUserKeys: Set<String>

    package init(_ options: RedactionOptions = RedactionOptions()) {
        recordedUserKeys = options.recordedUserKeys.intersection(UserKeys.all)
        isEnabled = options.isEnabled
        names = SecretNames(additional: options.secretKeys)
        recordedQueryItems = options.recordedQueryItems
    }

    /// True where the value may be recorded as it is: the span path's question.
    @inline(__always)
    func isClean(_ text: UnsafeBufferPointer<UInt8>, key: UnsafeBufferPointer<UInt8>) -> Bool {
        guard isEnabled else { return true }
        return !names.isSecret(key) && !SuspicionScan(text, names: names, isQuery: Self.isQuery(key)).isSuspicious
    }

    /// True if a name or a key may be recorded as it is.
    @inline(__always)
    func isClean(name: UnsafeBufferPointer<UInt8>) -> Bool {
        !isEnabled || !SuspicionScan(name, names: names, isQuery: false).isSuspicious
    }

    /// The text without what must not be recorded.
    package func redacted(_ text: String, key: String = "") -> String {
        guard isEnabled, !isRecorded(key) else { return text }
        let replacement: String? = key.withUTF8Bytes { key in
            text.withUTF8Bytes { bytes in
                if names.isSecret(key) { return Self.replacement }
                if isClean(bytes, key: key) { return nil }
                let sensitive = SensitiveText(
                    bytes, names: names, recordedQueryItems: recordedQueryItems, isQuery: Self.isQuery(key), )
                return sensitive.redacted()
            }
        }
        return replacement ?? text
    }

    /// Whether a value under this key is secret whatever it says.
    @inline(__always)
    package func isSecret(key: String) -> Bool {
        guard isEnabled else { return false }
        return key.withUTF8Bytes { names.isSecret($0) } && !isRecorded(key)
    }

    /// Whether values under this key are recorded as they are. Asked only about values that seem to be secret.
    private func isRecorded(_ key: String) -> Bool {
        !recordedUserKeys.isEmpty && recordedUserKeys.contains(key)
    }

    /// Whether a number is one of a payment card. Of fewer than 15 digits, which hardly any card has left, a number is
    /// taken for an id.
    @inline(__always)
    func isSecret(_ number: Int64) -> Bool {
        number >= Self.leastCardNumber && isCardNumber(number)
    }

    /// Whether a number without a fraction is one of a payment card.
    @inline(__always)
    func isSecret(_ number: Double) -> Bool {
        number >= Double(Self.leastCardNumber) && Int64(exactly: number).map(isCardNumber) ?? false
    }

    /// Whether bytes are text that holds something that must not be recorded. Bytes that are not UTF-8 are no text.
    func isSecret(bytes: ArraySlice<UInt8>) -> Bool {
        guard isEnabled else { return false }
        let isClean = bytes.withUnsafeBufferPointer { bytes in self.isClean(name: bytes) }
        if isClean { return false }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.elementsEqual(bytes) && redacted(text) != text
    }

    /// The least number of 15 digits.
    private static let leastCardNumber: Int64 = 100_000_000_000_000

    @inline(never)
    private func isCardNumber(_ number: Int64) -> Bool {
        let text = String(number)
        return redacted(text) != text
    }

    /// Whether the value under this key is a URL's query, without the `?` that tells one in other text.
    @inline(__always)
    private static func isQuery(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
        key.count == 9 && key[8] == UInt8(ascii: "y") && key.elementsEqual("url.query".utf8)
    }
}
