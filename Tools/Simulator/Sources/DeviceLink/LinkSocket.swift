import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A Unix socket. It closes when its last reference is released, so no thread can use a reused file descriptor.
final class LinkSocket: Sendable {
    private let descriptor: Int32

    #if canImport(Darwin)
    private static let stream = SOCK_STREAM
    private static let sendFlags = MSG_DONTWAIT
    #else
    private static let stream = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    private static let sendFlags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    #endif

    private init(descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #if canImport(Darwin)
        // Writing to a closed peer is an error of the call, not a signal that ends the process.
        var isOn: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    deinit { systemClose(descriptor) }

    static func connected(to path: String) throws(LinkError) -> LinkSocket {
        let socket = try made(path)
        let code = try withAddress(path) { systemConnect(socket.descriptor, $0, $1) == 0 ? 0 : errno }
        switch code {
        case 0: return socket
        case ECONNREFUSED, ENOENT:
            throw LinkError(
                .nobodyListens,
                "no device listens at \(path). Start the device before the app.",
            )
        default: throw refusal("connect to", path, code)
        }
    }

    /// Listens at the path, for processes of the same user. Replaces a socket file on which no process listens.
    static func listening(at path: String) throws(LinkError) -> LinkSocket {
        let socket = try made(path)
        var code = try socket.bind(path)
        if code == EADDRINUSE {
            try removeStale(path)
            code = try socket.bind(path)
        }
        guard code == 0 else { throw refusal("listen at", path, code) }
        // No process can connect before `listen`, so the permissions are set in time.
        guard chmod(path, 0o600) == 0, systemListen(socket.descriptor, backlog) == 0 else {
            let code = errno
            unlink(path)
            throw refusal("listen at", path, code)
        }
        return socket
    }

    private static let backlog: Int32 = 8

    private func bind(_ path: String) throws(LinkError) -> Int32 {
        try Self.withAddress(path) { systemBind(descriptor, $0, $1) == 0 ? 0 : errno }
    }

    private static func removeStale(_ path: String) throws(LinkError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw LinkError(
                .notASocket, "expected a free path at \(path), found a file; remove it, or name another path")
        }
        do {
            _ = try connected(to: path)
        } catch {
            guard error.reason == .nobodyListens else { throw error }
            unlink(path)
            return
        }
        throw LinkError(.inUse, "expected a free path at \(path), found another device that listens there")
    }

    /// Returns the next connection, or `nil` if `wake` becomes readable or the socket fails.
    func accept(unless wake: Int32) -> LinkSocket? {
        while true {
            var interests = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&interests, 2, -1)
            if count < 0, errno != EINTR { return nil }
            guard count > 0 else { continue }
            if interests[1].revents != 0 { return nil }
            let connection = systemAccept(descriptor, nil, nil)
            if connection >= 0 { return LinkSocket(descriptor: connection) }
            guard errno == EINTR || errno == ECONNABORTED || errno == EAGAIN else { return nil }
        }
    }

    /// Reads the next bytes. Returns `nil` at the end.
    func receive() -> Data? {
        let limit = 65_536
        var data = Data(count: limit)
        var count = 0
        repeat {
            count = data.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, limit, 0) }
        } while count < 0 && errno == EINTR
        guard count > 0 else { return nil }
        data.removeSubrange(count...)
        return data
    }

    /// Writes all bytes, however slowly the other side reads.
    ///
    /// - Parameter isTooLate: Called ten times a second while nothing can be written.
    /// - Returns: `false` if the other side has closed the connection, or if it is too late.
    func send(_ data: Data, isTooLate: () -> Bool) -> Bool {
        data.withUnsafeBytes { buffer in
            var sent = 0
            while sent < buffer.count {
                let rest = UnsafeRawBufferPointer(rebasing: buffer[sent...])
                let count = systemSend(descriptor, rest.baseAddress, rest.count, Self.sendFlags)
                if count > 0 {
                    sent += count
                } else if count < 0, errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS {
                    if isTooLate() { return false }
                    var interest = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&interest, 1, 100)
                } else if count == 0 || errno != EINTR {
                    return false
                }
            }
            return true
        }
    }

    /// Shuts down both directions, which wakes the threads that wait on them.
    func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    private static func made(_ path: String) throws(LinkError) -> LinkSocket {
        let descriptor = socket(AF_UNIX, stream, 0)
        guard descriptor >= 0 else { throw refusal("make a socket for", path, errno) }
        return LinkSocket(descriptor: descriptor)
    }

    private static func refusal(_ operation: String, _ path: String, _ code: Int32) -> LinkError {
        LinkError(.system, "cannot \(operation) \(path): \(String(cString: strerror(code)))")
    }

    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32,
    ) throws(LinkError) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let limit = MemoryLayout.size(ofValue: address.sun_path) - 1
        guard !bytes.isEmpty, bytes.count <= limit, !bytes.contains(0) else {
            throw LinkError(
                .pathTooLong,
                "expected a socket's path of 1 to \(limit) bytes, got \(bytes.count): \(path); name a shorter one",
            )
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

// The system's functions, which the type's members of the same names would hide.
private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32 {
    connect(descriptor, address, size)
}
private func systemBind(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32 {
    bind(descriptor, address, size)
}
private func systemListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 { listen(descriptor, backlog) }
private func systemAccept(
    _ descriptor: Int32, _ address: UnsafeMutablePointer<sockaddr>?, _ size: UnsafeMutablePointer<socklen_t>?,
) -> Int32 { accept(descriptor, address, size) }
private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
    send(descriptor, bytes, count, flags)
}
private func systemClose(_ descriptor: Int32) { close(descriptor) }
