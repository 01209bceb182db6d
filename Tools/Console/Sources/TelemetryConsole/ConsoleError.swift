package import ConsoleStore

/// The errors of starting the console.
package enum ConsoleError: Error, Hashable, Sendable {
    case store(StoreError)
    /// The console's pages are missing from the build output.
    case assetsMissing(path: String)
}

extension ConsoleError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .store(let error): error.description
        case .assetsMissing(let path):
            "the console's pages are missing at \(path). Rebuild the package."
        }
    }
}
