package import ConsoleStore

/// Why the console cannot run.
package enum ConsoleError: Error, Hashable, Sendable {
    case store(StoreError)
    /// The pages that belong to the program are not where the build put them.
    case assetsMissing(path: String)
}

extension ConsoleError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .store(let error): error.description
        case .assetsMissing(let path):
            "the console's pages are missing at \(path). Build the package again."
        }
    }
}
