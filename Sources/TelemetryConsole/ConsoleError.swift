package import ConsoleStore

/// Why the console cannot run.
package enum ConsoleError: Error, Hashable, Sendable {
    case store(StoreError)
    case addressInUse(host: String, port: Int)
    case addressForbidden(host: String, port: Int)
    case hostUnavailable(host: String)
    /// The pages that belong to the program are not where the build put them.
    case assetsMissing(path: String)
}

extension ConsoleError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .store(let error): error.description
        case .addressInUse(let host, let port):
            """
            \(host):\(port) is taken by another program, perhaps by a console or an OpenTelemetry Collector that runs \
            already. Stop it, or choose another port; 0 takes any free one.
            """
        case .addressForbidden(let host, let port):
            "this user may not listen on \(host):\(port). Choose a port above 1023."
        case .hostUnavailable(let host):
            "\(host) is no address of this machine. Use 127.0.0.1, or 0.0.0.0 for all of its addresses."
        case .assetsMissing(let path):
            "the console's pages are missing at \(path). Build the package again."
        }
    }
}
