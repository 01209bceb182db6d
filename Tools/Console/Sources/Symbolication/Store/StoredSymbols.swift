/// One build whose debug information is kept.
package struct StoredSymbols: Sendable, Hashable, Codable {
    package let buildID: BuildID
    /// The file's name when it was added.
    package let name: String
    package let facts: ImageFacts
    package let bytes: UInt64
    /// Seconds since 1970.
    package let addedAt: Int64
}

/// How adding a file went.
package enum SymbolAddition: Sendable, Hashable {
    case added(StoredSymbols)
    /// The store has at least as much of this build.
    case known(StoredSymbols)
}
