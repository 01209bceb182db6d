import Foundation

/// The members of a W3C `baggage` header, as far as it can be trusted.
///
/// A header over 8,192 bytes or 64 members is read up to that limit, the lower bound the specification sets. Members
/// whose value is not percent-encoded UTF-8 are left out; properties after a `;` are ignored.
struct BaggageHeader: Sendable {
    private let members: [String: String]

    init(header: String?) {
        var members: [String: String] = [:]
        let text = String(decoding: (header ?? "").utf8.prefix(8192), as: UTF8.self)
        for member in text.split(separator: ",").prefix(64) {
            let pair = member.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            guard
                pair.count == 2,
                let value = pair[1].trimmingCharacters(in: .whitespaces).removingPercentEncoding
            else { continue }
            members[pair[0].trimmingCharacters(in: .whitespaces)] = value
        }
        self.members = members
    }

    subscript(key: String) -> String? { members[key] }
}
