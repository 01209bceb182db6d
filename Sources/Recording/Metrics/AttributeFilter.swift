import AstrolabeTelemetryModel

/// The attributes of a measurement that a metric keeps.
struct AttributeFilter: Sendable {
    /// `nil` keeps all.
    let kept: KeyPatterns?
    let removed: KeyPatterns

    /// The attributes that are kept, in their order.
    func apply(to attributes: Attributes) -> Attributes {
        guard attributes.contains(where: { !keeps($0.key) }) else { return attributes }
        return Attributes(uniqueElements: attributes.filter { keeps($0.key) })
    }

    private func keeps(_ key: String) -> Bool {
        !removed.match(key) && kept.map { $0.match(key) } ?? true
    }
}

/// Keys or values, some of them with wildcards.
package struct KeyPatterns: Sendable {
    private let names: Set<String>
    private let patterns: [NamePattern]

    package init(_ keys: Set<String>) {
        names = keys.filter { !NamePattern.hasWildcard($0) }
        patterns = keys.filter(NamePattern.hasWildcard).map(NamePattern.init)
    }

    package func match(_ key: String) -> Bool {
        names.contains(key) || patterns.contains { $0.matches(key) }
    }
}

/// A text in which `*` stands for any characters, or none, and `?` for one.
struct NamePattern: Sendable {
    private let pattern: [Unicode.Scalar]

    init(_ pattern: String) {
        self.pattern = Array(pattern.unicodeScalars)
    }

    static func hasWildcard(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0 == "*" || $0 == "?" }
    }

    /// Takes time in proportion to the product of the lengths at most.
    func matches(_ text: String) -> Bool {
        let text = Array(text.unicodeScalars)
        var (place, index) = (0, 0)
        // The last `*` and where its text ends so far: if the rest does not match, it takes one more.
        var star: (place: Int, end: Int)?
        while index < text.count {
            if place < pattern.count, pattern[place] == "*" {
                star = (place, index)
                place += 1
            } else if place < pattern.count, pattern[place] == "?" || pattern[place] == text[index] {
                place += 1
                index += 1
            } else if let last = star {
                star = (last.place, last.end + 1)
                (place, index) = (last.place + 1, last.end + 1)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == "*" }
    }
}
