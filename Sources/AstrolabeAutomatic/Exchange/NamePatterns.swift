/// Names of the options. One that ends in `*` stands for all names that begin with what is before it.
struct NamePatterns: Equatable {
    private let names: Set<String>
    private let beginnings: [String]

    init(_ patterns: Set<String>) {
        names = patterns.filter { !$0.hasSuffix("*") }
        beginnings = patterns.filter { $0.hasSuffix("*") }.map { String($0.dropLast()) }.sorted()
    }

    func matches(_ name: String) -> Bool { names.contains(name) || beginnings.contains(where: name.hasPrefix) }
}
