/// One build with stored debug symbols.
package struct StoredSymbols: Sendable, Hashable, Codable {
    package let buildID: BuildID
    /// The file's name when it was added.
    package let name: String
    package let facts: ImageFacts
    package let bytes: UInt64
    /// Seconds since 1970.
    package let addedAt: Int64
    /// The place in the order of adding, which no clock changes; `nil` if an earlier version added it.
    let order: Int?
}

/// The result of adding a file.
package enum SymbolAddition: Sendable, Hashable {
    case added(StoredSymbols)
    /// The store already has this build with at least as much information.
    case known(StoredSymbols)

    package var symbols: StoredSymbols {
        switch self {
        case .added(let symbols), .known(let symbols): symbols
        }
    }

    package var isNew: Bool {
        if case .added = self { true } else { false }
    }
}
