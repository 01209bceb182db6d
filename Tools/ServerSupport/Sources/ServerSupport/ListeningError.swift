import Foundation
import NIOCore

/// The errors of listening on an address.
package enum ListeningError: Error, Hashable, Sendable {
    /// Another process listens on the address.
    case addressInUse(host: String, port: Int)
    /// The user is not permitted to listen on the port. Ports below 1024 are usually reserved.
    case addressForbidden(host: String, port: Int)
    /// The host is not an address of this machine.
    case hostUnavailable(host: String)

    /// Reads an error of binding a socket; `nil` for any other error.
    package init?(_ error: any Error, host: String, port: Int) {
        switch error {
        case let error as IOError where error.errnoCode == EADDRINUSE: self = .addressInUse(host: host, port: port)
        case let error as IOError where error.errnoCode == EACCES: self = .addressForbidden(host: host, port: port)
        case let error as IOError where error.errnoCode == EADDRNOTAVAIL: self = .hostUnavailable(host: host)
        case is SocketAddressError, is SocketAddressError.UnknownHost: self = .hostUnavailable(host: host)
        default: return nil
        }
    }
}

extension ListeningError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .addressInUse(let host, let port):
            "port \(port) on \(host) is in use; stop the process that uses it, or choose another port (0 for any)"
        case .addressForbidden(let host, let port):
            "not permitted to listen on port \(port) of \(host); choose a port of 1024 or higher"
        case .hostUnavailable(let host):
            "\(host) is not an address of this machine; use 127.0.0.1, or 0.0.0.0 for all addresses"
        }
    }
}
