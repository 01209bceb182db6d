/// Keys that services mark by how they begin, such as `AKIA…` and `sk_live_…`, and private keys in PEM (RFC 7468).
enum ServiceKey {
    private struct Form {
        let prefix: StaticString
        /// The least number of letters, digits, `-` and `_` that follow.
        let length: Int
    }

    private static let forms = [
        Form(prefix: "AKIA", length: 16), Form(prefix: "ASIA", length: 16), Form(prefix: "AIza", length: 35),
        Form(prefix: "ghp_", length: 30), Form(prefix: "gho_", length: 30), Form(prefix: "ghu_", length: 30),
        Form(prefix: "ghs_", length: 30), Form(prefix: "ghr_", length: 30), Form(prefix: "github_pat_", length: 30),
        Form(prefix: "glpat-", length: 20), Form(prefix: "xoxa-", length: 20), Form(prefix: "xoxb-", length: 20),
        Form(prefix: "xoxp-", length: 20), Form(prefix: "xoxr-", length: 20), Form(prefix: "xoxs-", length: 20),
        Form(prefix: "sk_live_", length: 16), Form(prefix: "sk_test_", length: 16),
        Form(prefix: "rk_live_", length: 16),
        Form(prefix: "rk_test_", length: 16), Form(prefix: "whsec_", length: 16), Form(prefix: "npm_", length: 30),
        Form(prefix: "shpat_", length: 30), Form(prefix: "hf_", length: 30), Form(prefix: "sk-", length: 20),
    ]

    static func ranges(in text: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        guard text.indices.contains(where: { isMark(text[$0]) && mayBegin(around: $0, in: text) }) else { return [] }
        return text.ranges { endOfKey(from: $0, in: text) ?? endOfPrivateKey(from: $0, in: text) }
    }

    private static func isMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "I") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    /// Returns true if the byte at `index`, one of `I`, `-` and `_`, may belong to the beginning of a key.
    static func mayBegin(around index: Int, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        switch text[index] {
        case UInt8(ascii: "I"):
            text.hasBytes("AKIA", at: index - 2) || text.hasBytes("ASIA", at: index - 2)
                || text.hasBytes("AIza", at: index - 1) || text.hasBytes("BEGIN ", at: index - 3)
        case UInt8(ascii: "-"):
            text.hasBytes("sk", at: index - 2) || text.hasBytes("xox", at: index - 4)
                || text.hasBytes("glpat", at: index - 5)
        default:
            text.hasBytes("gh", at: index - 3) || text.hasBytes("pat", at: index - 3)
                || text.hasBytes("k_live", at: index - 6) || text.hasBytes("k_test", at: index - 6)
                || text.hasBytes("whsec", at: index - 5) || text.hasBytes("npm", at: index - 3)
                || text.hasBytes("hf", at: index - 2)
        }
    }

    private static func endOfKey(from start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        guard start == 0 || !text[start - 1].isWord else { return nil }
        for form in forms where text.hasBytes(form.prefix, at: start) {
            var end = start + form.prefix.utf8CodeUnitCount
            while end < text.count, text[end].isBase64URL { end += 1 }
            if end - start >= form.prefix.utf8CodeUnitCount + form.length { return end }
        }
        return nil
    }

    /// The end of a private key that begins at `start`, or of the text if the key is cut.
    private static func endOfPrivateKey(from start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        guard text.hasBytes("-----BEGIN ", at: start) else { return nil }
        var label = start + 11
        while label < text.count, !text.hasBytes("-----", at: label) { label += 1 }
        guard label < text.count, text.hasBytes("PRIVATE KEY", at: label - 11) else { return nil }
        var end = label + 5
        while end < text.count, !text.hasBytes("-----END ", at: end) { end += 1 }
        guard end < text.count else { return text.count }
        end += 9
        while end < text.count, !text.hasBytes("-----", at: end) { end += 1 }
        return min(end + 5, text.count)
    }
}
