/// Why the backend cannot start.
package enum ShopBackendError: Error, Hashable, Sendable {
    /// Another process listens there.
    case addressInUse(host: String, port: Int)

    /// The system does not let this user listen there; ports under 1024 are usually reserved.
    case addressForbidden(host: String, port: Int)

    /// The host is not one of this machine's.
    case hostUnavailable(host: String)

    /// The database cannot be opened or brought up to date.
    case database(path: String, reason: String)

    /// A picture of the catalogue is not among the module's resources: the build is incomplete.
    case pictureMissing(String)
}

extension ShopBackendError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .addressInUse(let host, let port):
            "port \(port) on \(host) is in use; stop the process that has it, or choose another port (0 takes any)"
        case .addressForbidden(let host, let port):
            "listening on \(host), port \(port), is not permitted; choose a port of 1024 or more"
        case .hostUnavailable(let host):
            "\(host) is not an address of this machine; use 127.0.0.1, or 0.0.0.0 for every address"
        case .database(let path, let reason):
            "the shop's database (\(path)) cannot be opened: \(reason)"
        case .pictureMissing(let name):
            "the picture \(name) is missing from the shop's resources; build the package again"
        }
    }
}
