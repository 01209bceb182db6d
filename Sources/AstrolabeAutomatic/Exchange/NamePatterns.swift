/// Names of the options. A `*` stands for any characters, or for none.
struct NamePatterns: Equatable {
    private let names: Set<String>
    /// The texts between the stars of each pattern, at least two.
    private let patterns: [[Substring]]

    init(_ patterns: Set<String>) {
        names = patterns.filter { !$0.contains("*") }
        self.patterns = patterns.subtracting(names).sorted().map {
            $0.split(separator: "*", omittingEmptySubsequences: false)
        }
    }

    func matches(_ name: String) -> Bool {
        names.contains(name) || patterns.contains { Self.matches(name, $0) }
    }

    /// Takes the first place for each text, which leaves the most room for those after it.
    private static func matches(_ name: String, _ texts: [Substring]) -> Bool {
        guard let first = texts.first, let last = texts.last, name.hasPrefix(first) else { return false }
        var rest = name.dropFirst(first.count)
        for text in texts.dropFirst().dropLast() where !text.isEmpty {
            guard let found = rest.firstRange(of: text) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.hasSuffix(last)
    }
}
