/// Names of things that are secret, or personal if the app asks for it.
///
/// A name is compared by its words: `user.accessToken`, `X-Auth-Token`, `tokens` and `USERTOKEN` all name a token. A
/// name of the app's must be the whole of a key's last part, without case, `_` and `-`.
final class SecretNames: Sendable {
    private let additional: Set<String>
    private let personal: [NameRules]
    private let decisions = NameDecisions()

    init(additional: Set<String>, personalData: Set<RedactionOptions.PersonalData> = []) {
        self.additional = Set(
            additional.map { key in
                String((key.split(separator: ".").last ?? "").lowercased().filter { $0 != "_" && $0 != "-" })
            }
        ).subtracting([""])
        personal = RedactionOptions.PersonalData.allCases.filter { personalData.contains($0) }.map(\.names)
    }

    /// Returns true if a key, or a name in a text, is that of a secret.
    @inline(__always)
    func isSecret(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        !name.isEmpty && decisions.decision(on: name) { examine(name) ? 1 : 0 } != 0
    }

    @inline(never)
    private func examine(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        if !additional.isEmpty, additional.contains(Self.lastPart(of: name)) { return true }
        let words = NameWords(name)
        return NameRules.secrets.apply(to: words) || personal.contains { $0.apply(to: words) }
    }

    private static func lastPart(of name: UnsafeBufferPointer<UInt8>) -> String {
        let part = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).last ?? name[...]
        let letters = part.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
        return String(decoding: letters.map(\.lowercase), as: UTF8.self)
    }
}

/// Words that make a key one of a secret. All are singular; a key's plurals match too.
struct NameRules: Sendable {
    /// At any place.
    var anywhere: Set<String> = []
    /// At the end, or before one of `continuations`.
    var atEnd: Set<String> = []
    /// Two words in a row, at any place.
    var pairs: Set<String> = []
    /// Parts of a word of six or more letters, at any place, where words are written without a separator.
    var stems: [String] = []
    /// Endings of such a word.
    var endings: [String] = []

    /// Words after a secret's that still mean the secret itself.
    private static let continuations: Set<String> = [
        "address", "again", "body", "code", "confirm", "confirmation", "content", "data", "digit", "entry", "hash",
        "header", "hex", "id", "input", "key", "new", "number", "old", "plain", "plaintext", "raw", "repeat",
        "secret", "string", "text", "token", "val", "value",
    ]

    /// Last words that speak about a secret without telling it.
    private static let descriptions: Set<String> = [
        "accepted", "age", "alg", "algorithm", "allowed", "at", "attempt", "available", "banner", "bytes", "changed",
        "consent", "count", "created", "date", "disabled", "domain", "duration", "enabled", "endpoint", "error",
        "exists", "expected", "expiration", "expired", "expires", "expiry", "failed", "failure", "focused", "format",
        "index", "invalid", "issuer", "kind", "latency", "len", "length", "limit", "matches", "method", "minute",
        "mismatch", "missing", "mode", "ms", "name", "policy", "position", "present", "provider", "remaining",
        "required", "requirement", "result", "retries", "retry", "rotated", "rule", "scheme", "screen", "second",
        "set", "shown", "size", "source", "state", "status", "strength", "supported", "template", "time", "timeout",
        "total", "ttl", "type", "updated", "uri", "url", "usage", "used", "valid", "validity", "verified", "version",
        "visible",
    ]

    /// First words of a part that ask about a secret, or count it.
    private static let questions: Set<String> = [
        "allows", "can", "count", "did", "had", "has", "is", "needs", "num", "number", "requires", "should", "shows",
        "supports", "uses", "was", "will",
    ]

    /// Words that make the next word harmless, which otherwise is one of a secret, singular or plural.
    private static let harmlessBefore: [String: Set<String>] = [
        "token": ["cancellation", "design", "lexer", "parser", "syntax"],
        "tokens": [
            "audio", "cached", "completion", "consumed", "input", "max", "min", "output", "per", "prompt", "reasoning",
            "remaining", "spent", "text", "thinking", "total", "used",
        ],
        "pin": ["bowling", "gpio", "connector", "map"],
        "signature": ["code", "crash", "error", "function", "image", "method", "stack", "time", "type"],
        "authorization": [
            "att", "calendar", "camera", "contacts", "health", "location", "microphone", "motion", "notification",
            "notifications", "photo", "photos", "push", "speech", "tracking",
        ],
    ]

    func apply(to name: NameWords) -> Bool {
        name.words.indices.contains { isSecret(at: $0, in: name) }
    }

    private func isSecret(at index: Int, in name: NameWords) -> Bool {
        let word = name.words[index]
        let isWhole: Bool
        if let known = Self.form(of: word, where: { anywhere.contains($0) || atEnd.contains($0) }) {
            isWhole = anywhere.contains(known)
            if index > 0, isHarmless(word, known, after: name.words[index - 1]) { return false }
        } else if index + 1 < name.words.count, isPair(at: index, in: name) {
            isWhole = true
        } else if isFused(word) {
            isWhole = true
        } else {
            return false
        }
        if index + 1 < name.words.count {
            if name.words.last.map({ Self.isListed($0, in: Self.descriptions) }) ?? false { return false }
            if !isWhole, !Self.isListed(name.words[index + 1], in: Self.continuations) { return false }
        }
        return !isAsked(at: index, in: name)
    }

    /// Returns true if the part of the key that has the word begins as a question does, such as `has_password`.
    private func isAsked(at index: Int, in name: NameWords) -> Bool {
        guard let first = name.parts.firstIndex(of: name.parts[index]), first < index else { return false }
        return Self.questions.contains(name.words[first])
    }

    private func isHarmless(_ word: String, _ singular: String, after before: String) -> Bool {
        Self.harmlessBefore[singular]?.contains(before) ?? false || Self.harmlessBefore[word]?.contains(before) ?? false
    }

    /// The session's id of the conventions, `session.id`, is no secret: its words are in two parts.
    private func isPair(at index: Int, in name: NameWords) -> Bool {
        let first = name.words[index]
        guard let second = Self.form(of: name.words[index + 1], where: { pairs.contains("\(first) \($0)") }) else {
            return false
        }
        return name.parts[index] == name.parts[index + 1] || first != "session" || second != "id"
    }

    /// Compared by bytes: the standard library's search in a string costs as much as all other rules together.
    private func isFused(_ word: String) -> Bool {
        let letters = Array(word.utf8)
        guard letters.count >= 6 else { return false }
        let singular = letters.last == UInt8(ascii: "s") ? letters.dropLast() : letters[...]
        return stems.contains { Self.isPart($0, of: letters) }
            || endings.contains { Self.isEnd($0, of: letters[...]) || Self.isEnd($0, of: singular) }
    }

    private static func isPart(_ stem: String, of letters: [UInt8]) -> Bool {
        guard letters.count >= stem.utf8.count else { return false }
        return (0...letters.count - stem.utf8.count).contains { letters[$0...].starts(with: stem.utf8) }
    }

    private static func isEnd(_ ending: String, of letters: ArraySlice<UInt8>) -> Bool {
        letters.suffix(ending.utf8.count).elementsEqual(ending.utf8)
    }

    /// The word, or its singular, that satisfies a condition.
    private static func form(of word: String, where isKnown: (String) -> Bool) -> String? {
        if isKnown(word) { return word }
        guard word.hasSuffix("s"), word.utf8.count > 2 else { return nil }
        let singular = String(word.dropLast())
        return isKnown(singular) ? singular : nil
    }

    private static func isListed(_ word: String, in words: Set<String>) -> Bool {
        form(of: word) { words.contains($0) } != nil
    }
}

extension NameRules {
    static let secrets = NameRules(
        anywhere: [
            "cred", "credential", "csrf", "cvc", "cvn", "cvv", "hotp", "jwt", "otp", "passcode", "passphrase",
            "passwd", "password", "pswd", "pwd", "ssn", "totp", "xsrf",
        ],
        atEnd: ["authorization", "cookie", "email", "iban", "pin", "secret", "sig", "signature", "token"],
        pairs: [
            "access code", "access key", "account key", "account number", "api key", "auth code", "auth data",
            "auth header", "auth key", "backup code", "basic auth", "card number", "client assertion",
            "driver license", "driving licence", "e mail", "encryption key", "honeycomb team", "login code",
            "magic link", "master key", "mfa code", "national id", "passport number", "private key", "recovery code",
            "recovery key", "recovery phrase", "reset code", "routing number", "saml assertion", "saml response",
            "secret key", "security answer", "security code", "seed phrase", "sess id", "session id", "session key",
            "shared key", "signing key", "sms code", "social security", "tax id", "time code", "verification code",
        ],
        stems: [
            "accesskey", "apikey", "cardnumber", "credential", "passcode", "passphrase", "passwd", "password",
            "privatekey", "secretkey", "securitycode", "sessid", "sessionid",
        ],
        endings: [
            "authorization", "cookie", "cvc", "cvv", "email", "emailaddress", "iban", "jwt", "otp", "pwd", "secret",
            "token",
        ])

    static let phoneNumbers = NameRules(
        atEnd: ["fax", "msisdn", "phone", "tel", "telephone"], pairs: ["cell number", "mobile number"],
        endings: ["cellphone", "mobilenumber", "phonenumber"])

    static let ipAddresses = NameRules(
        atEnd: ["ip", "ipv", "ipaddr", "ipaddress"],
        pairs: ["client address", "forwarded for", "peer address", "remote addr", "remote address"])

    static let locations = NameRules(
        atEnd: ["coord", "coordinate", "geohash", "geolocation", "gps", "lat", "latitude", "lng", "lon", "longitude"])
}

extension RedactionOptions.PersonalData {
    fileprivate var names: NameRules {
        switch self {
        case .phoneNumbers: .phoneNumbers
        case .ipAddresses: .ipAddresses
        case .locations: .locations
        }
    }
}
