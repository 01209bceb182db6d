/// Why a server cannot listen where it was told to.
package enum ListeningError: Error, Hashable, Sendable {
    /// Another process listens there.
    case addressInUse(host: String, port: Int)
    /// The system does not let this user listen there; ports under 1024 are usually reserved.
    case addressForbidden(host: String, port: Int)
    /// The host is not one of this machine's.
    case hostUnavailable(host: String)
}

extension ListeningError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .addressInUse(let host, let port):
            "port \(port) on \(host) is in use; stop the process that has it, or choose another port (0 takes any)"
        case .addressForbidden(let host, let port):
            "listening on \(host), port \(port), is not permitted; choose a port of 1024 or more"
        case .hostUnavailable(let host):
            "\(host) is not an address of this machine; use 127.0.0.1, or 0.0.0.0 for every address"
        }
    }
}
