package import AstrolabePlatform

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A port of loopback that no other process gets while no server listens at it: a socket is bound to it that never
/// listens. On Darwin, where two sockets cannot share an address so, the port is only one that was free.
package final class ReservedPort: Sendable {
    /// A port at which nothing listens as long as this process lives.
    package static let refused = Result { () throws(SystemError) in try ReservedPort() }

    package let number: UInt16
    private let descriptor: Int32

    package init() throws(SystemError) {
        #if canImport(Darwin)
        let stream = SOCK_STREAM
        #else
        let stream = Int32(SOCK_STREAM.rawValue)
        #endif
        descriptor = socket(AF_INET, stream, 0)
        var isShared: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isShared, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, size) == 0 && getsockname(descriptor, address, &size) == 0
            }
        }
        guard isBound else { throw SystemError("reserve", "a port") }
        number = UInt16(bigEndian: address.sin_port)
        #if canImport(Darwin)
        close(descriptor)
        #endif
    }

    deinit {
        #if !canImport(Darwin)
        close(descriptor)
        #endif
    }
}
