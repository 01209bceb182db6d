/// All that decides what is sensitive: the app's options, prepared for use.
final class RedactionRules: Sendable {
    let names: SecretNames
    let recordedQueryItems: Set<String>
    /// True if the app asked for more than the built-in rules.
    let hasMore: Bool
    private let personalData: Set<RedactionOptions.PersonalData>
    private let patterns: [TextPattern]

    init(_ options: RedactionOptions) {
        names = SecretNames(additional: options.secretKeys, personalData: options.personalData)
        recordedQueryItems = options.recordedQueryItems
        personalData = options.personalData
        let patterns = Array(options.patterns).sorted().compactMap { TextPattern($0) }
        hasMore = !options.personalData.isEmpty || !patterns.isEmpty
        self.patterns = patterns
    }

    /// Additions to the built-in rules, as the app asked for them.
    func more(in text: UnsafeBufferPointer<UInt8>) -> [SensitiveRange] {
        var found: [SensitiveRange] = []
        for kind in RedactionOptions.PersonalData.allCases where personalData.contains(kind) {
            found += kind.ranges(in: text).map { SensitiveRange(range: $0, rule: .personalData(kind)) }
        }
        for pattern in patterns {
            found += pattern.ranges(in: text).map { SensitiveRange(range: $0, rule: .pattern) }
        }
        return found
    }
}

/// A part of a text that must not be recorded, and why.
struct SensitiveRange {
    var range: Range<Int>
    let rule: RedactionRule
}

/// Why something is replaced.
enum RedactionRule: Hashable, Sendable {
    case key, urlValue, namedValue, credentials, securityCode, cardNumber, email, jsonWebToken, serviceKey, pathToken
    case bankAccount, pattern
    case personalData(RedactionOptions.PersonalData)

    /// A name for it in a diagnostic line.
    var found: String {
        switch self {
        case .key: "a key that names a secret"
        case .urlValue: "user information or a query value of a URL"
        case .namedValue: "the value of a secret name"
        case .credentials: "credentials after the name of their scheme"
        case .securityCode: "a card's security code"
        case .cardNumber: "a card number"
        case .email: "an e-mail address"
        case .jsonWebToken: "a JSON Web Token"
        case .serviceKey: "a service's key or a private key"
        case .pathToken: "a random token in a path"
        case .bankAccount: "a bank account number (IBAN)"
        case .pattern: "a pattern of the app's"
        case .personalData(.phoneNumbers): "a telephone number"
        case .personalData(.ipAddresses): "an IP address"
        case .personalData(.locations): "a location"
        }
    }
}
