package import ConsoleAccess
package import ConsoleModel

/// The errors of starting the console.
package enum ConsoleError: Error, Hashable, Sendable {
    case store(StoreError)
    /// The console's pages are missing from the build output.
    case assetsMissing(path: String)
    case keys(KeyFileError)
    /// The console would be reachable from other machines, and there are no keys.
    case keysMissing(host: String, path: String)
    case certificate(path: String, reason: String)
    /// The upstream endpoint of forwarding is the console itself.
    case forwardsToItself(endpoint: String)
    /// The program has no such capability, by its name.
    case notBuilt(String)
}

extension ConsoleError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .store(let error): error.description
        case .assetsMissing(let path):
            "the console's pages are missing at \(path). Rebuild the package."
        case .keys(let error): error.description
        case .keysMissing(let host, let path):
            """
            other machines can reach \(host), and \(path) has no valid key. Make them first:
              astrolabe keys create "my app" --use ingest --service my-app
              astrolabe keys create "my name" --use view
            """
        case .notBuilt(let capability):
            "this program is built without \(capability). Use ./astrolabe console, which has it."
        case .forwardsToItself(let endpoint):
            "cannot forward to \(endpoint): it is this console, which would receive each request again and again"
        case .certificate(let path, let reason): "cannot use the certificate of \(path): \(reason)"
        }
    }
}
