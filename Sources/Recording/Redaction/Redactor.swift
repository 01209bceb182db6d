import AstrolabeTelemetryModel

/// Keeps secrets and personal data out of every record, before they are encoded.
///
/// Replaced with `REDACTED`:
/// - values under a key whose words name a secret (`authorization`, `cookie`, `password`, `token`, ...);
/// - within a text, what such a name is given, as in JSON, forms and headers;
/// - payment card numbers: 13 to 19 digits, alone or in groups, that begin as a network's numbers do and pass the Luhn
///   check (ISO/IEC 7812-1);
/// - a security code of 3 or 4 digits after `cvv` or `cvc`;
/// - e-mail addresses, and bank account numbers (IBAN) with valid check digits;
/// - `Bearer`, `Basic` and `Token` credentials, JSON Web Tokens, keys that services mark, and private keys;
/// - in URLs and in paths with a query, user information and the values of query items that are not allowed by name;
/// - long random parts of paths;
/// - what the app asks for: personal data and patterns.
///
/// A number without a fraction is checked as a text of digits, and bytes that are valid UTF-8 as a text. If one holds
/// something sensitive, the whole value is replaced. Other bytes are recorded as they are.
///
/// Values under the keys of a user's identity that the app lists (`recordedUserKeys`) are recorded as they are.
///
/// Percent-encoding, nested too, does not hide any of them. Most text holds none of the characters that could begin
/// one, which a pass or two over its bytes tell without allocating, if the app asks for no more. What a key means is
/// decided once and remembered.
package struct Redactor: Sendable {
    package static let replacement = "REDACTED"

    private let isEnabled: Bool
    private let rules: RedactionRules
    private let recordedUserKeys: Set<String>
    private let keys = NameDecisions()
    private let report: RedactionReport?

    /// - Parameter onRedaction: Receives a line for each place in which something was replaced.
    package init(
        _ options: RedactionOptions = RedactionOptions(), onRedaction: (@Sendable (String) -> Void)? = nil,
    ) {
        recordedUserKeys = options.recordedUserKeys.intersection(UserKeys.all)
        isEnabled = options.isEnabled
        rules = RedactionRules(options)
        report = onRedaction.map { RedactionReport($0) }
    }

    /// Returns true if the value and its key may be recorded as they are. Returns true for nearly every one.
    @inline(__always)
    func isClean(_ text: UnsafeBufferPointer<UInt8>, key: UnsafeBufferPointer<UInt8>) -> Bool {
        guard isEnabled else { return true }
        return (key.isEmpty || decision(on: key) == 0) && !isSuspicious(text, isQuery: Self.isQuery(key))
    }

    /// Returns true if an attribute's key may be recorded as it is.
    @inline(__always)
    func isClean(key: UnsafeBufferPointer<UInt8>) -> Bool {
        !isEnabled || key.isEmpty || decision(on: key) & Self.holdsSecret == 0
    }

    /// The text without what must not be recorded.
    @inline(never)  // 3 kB, for what is hardly ever asked
    package func redacted(_ text: String, key: String = "") -> String {
        guard isEnabled, !isRecorded(key) else { return text }
        let result: RedactedText? = key.withUTF8Bytes { key in
            text.withUTF8Bytes { bytes in
                if namesSecret(key) { return RedactedText(text: Self.replacement, rules: [.key]) }
                let isQuery = Self.isQuery(key)
                return isSuspicious(bytes, isQuery: isQuery)
                    ? SensitiveText(bytes, rules: rules, isQuery: isQuery).redacted() : nil
            }
        }
        guard let result, !result.rules.isEmpty else { return text }
        if let report { report.add(result.rules, key: withoutSecrets(key: key), text: result.text) }
        return result.text
    }

    /// Returns true if a value under this key is secret, regardless of the value.
    @inline(__always)
    package func isSecret(key: String) -> Bool {
        guard isEnabled, key.withUTF8Bytes({ namesSecret($0) }), !isRecorded(key) else { return false }
        if let report { report.add([.key], key: withoutSecrets(key: key), text: Self.replacement) }
        return true
    }

    /// Set in the decision on a key that names a secret.
    private static let isSecretName: UInt64 = 1
    /// Set in the decision on a key that itself holds something sensitive.
    private static let holdsSecret: UInt64 = 2

    @inline(__always)
    private func decision(on key: UnsafeBufferPointer<UInt8>) -> UInt64 {
        keys.decision(on: key) { examine(key) }
    }

    @inline(never)
    private func examine(_ key: UnsafeBufferPointer<UInt8>) -> UInt64 {
        (rules.names.isSecret(key) ? Self.isSecretName : 0)
            | (mayHoldSecret(key) ? Self.holdsSecret : 0)
    }

    /// Returns true if the text may hold something sensitive.
    @inline(__always)
    private func isSuspicious(_ text: UnsafeBufferPointer<UInt8>, isQuery: Bool = false) -> Bool {
        SuspicionScan(text, rules: rules, isQuery: isQuery).isSuspicious
    }

    /// `isSuspicious` for what is hardly ever asked: one copy of its 2 kB.
    @inline(never)
    private func mayHoldSecret(_ text: UnsafeBufferPointer<UInt8>) -> Bool { isSuspicious(text) }

    @inline(__always)
    private func namesSecret(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
        !key.isEmpty && decision(on: key) & Self.isSecretName != 0
    }

    /// The key as it may be shown.
    private func withoutSecrets(key: String) -> String {
        key.withUTF8Bytes { SensitiveText($0, rules: rules, isQuery: false).redacted().text }
    }

    /// Returns true if values under this key are recorded as they are. Asked only about values that seem to be secret.
    private func isRecorded(_ key: String) -> Bool {
        !recordedUserKeys.isEmpty && recordedUserKeys.contains(key)
    }

    /// Returns true if a value that is no text is replaced whole: for its key, or as the number of a card.
    @inline(__always)
    func isSecret(_ value: AttributeValue, key: String) -> Bool {
        switch value {
        case .empty, .bool, .string: false
        case .int(let number): isSecret(key: key) || isSecret(number)
        case .double(let number): isSecret(key: key) || isSecret(number)
        case .bytes, .array, .map: isSecret(key: key)
        }
    }

    /// `isSecret` for what is not on the way of a span: one copy of its 3 kB.
    @inline(never)
    func mustReplace(_ value: AttributeValue, key: String) -> Bool { isSecret(value, key: key) }

    /// Returns true if a number is one of a payment card. Of fewer than 15 digits, which hardly any card has left, a
    /// number is taken for an id.
    @inline(__always)
    func isSecret(_ number: Int64) -> Bool {
        number >= Self.leastCardNumber && isCardNumber(number)
    }

    /// Returns true if a number without a fraction is one of a payment card.
    @inline(__always)
    func isSecret(_ number: Double) -> Bool {
        number >= Double(Self.leastCardNumber) && Int64(exactly: number).map(isCardNumber) ?? false
    }

    /// Returns true if bytes are text that holds something that must not be recorded. Bytes that are not UTF-8 are no
    /// text.
    func isSecret(bytes: ArraySlice<UInt8>) -> Bool {
        guard isEnabled else { return false }
        guard bytes.withUnsafeBufferPointer({ mayHoldSecret($0) }) else { return false }
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

    /// Returns true if the value under this key is a URL's query, without the `?` that tells one in other text.
    @inline(__always)
    private static func isQuery(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
        key.count == 9 && key[8] == UInt8(ascii: "y") && key.elementsEqual("url.query".utf8)
    }
}
