import AstrolabePlatform

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// TCP on this machine with blocking system calls.
enum LocalSocket {
    #if canImport(Darwin)
    private static let stream = SOCK_STREAM
    private static let sendFlags: Int32 = 0
    #else
    private static let stream = Int32(SOCK_STREAM.rawValue)
    private static let sendFlags = Int32(MSG_NOSIGNAL)
    #endif

    /// Listens on `port` of the loopback interface, 0 for any free port; returns the actual port.
    static func listen(on port: UInt16) throws(SystemError) -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { throw SystemError("make", "a socket") }
        // So that a server can reuse the port immediately.
        set(SO_REUSEADDR, Int32(1), of: descriptor)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, size) == 0 && systemListen(descriptor, 64) == 0
                    && getsockname(descriptor, address, &size) == 0
            }
        }
        guard isBound else {
            let failure = SystemError("listen on", "127.0.0.1:\(port)")
            systemClose(descriptor)
            throw failure
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    /// Returns the next connection; `nil` if none arrives in time.
    static func accept(from listener: Int32, within milliseconds: Int32) -> Int32? {
        var interest = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        guard poll(&interest, 1, milliseconds) > 0 else { return nil }
        let connection = systemAccept(listener, nil, nil)
        guard connection >= 0 else { return nil }
        #if canImport(Darwin)
        set(SO_NOSIGPIPE, Int32(1), of: connection)
        #endif
        return connection
    }

    /// Returns up to `limit` received bytes; `nil` at the end of the connection.
    static func receive(from connection: Int32, limit: Int = 65_536) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            repeat { count = recv(connection, buffer.baseAddress, limit, 0) } while count < 0 && errno == EINTR
            count = max(count, 0)
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Returns false if the peer has closed the connection.
    static func send(_ bytes: [UInt8], to connection: Int32) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var sent = 0
            while sent < buffer.count {
                let rest = UnsafeRawBufferPointer(rebasing: buffer[sent...])
                let count = systemSend(connection, rest.baseAddress, rest.count, sendFlags)
                if count < 0, errno == EINTR { continue }
                if count <= 0 { return false }
                sent += count
            }
            return true
        }
    }

    /// Wakes any thread that waits for the connection and resets it when it is closed.
    static func abort(_ connection: Int32) {
        set(SO_LINGER, linger(l_onoff: 1, l_linger: 0), of: connection)
        shutdown(connection, Int32(SHUT_RD))
    }

    static func close(_ descriptor: Int32) { systemClose(descriptor) }

    private static func set<Value: BitwiseCopyable>(_ option: Int32, _ value: Value, of descriptor: Int32) {
        var value = value
        setsockopt(descriptor, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Value>.size))
    }
}

// The system's functions, which the type's members would shadow.
private func systemListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 { listen(descriptor, backlog) }
private func systemAccept(
    _ descriptor: Int32, _ address: UnsafeMutablePointer<sockaddr>?, _ size: UnsafeMutablePointer<socklen_t>?,
) -> Int32 { accept(descriptor, address, size) }
private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
    send(descriptor, bytes, count, flags)
}
@discardableResult
private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
