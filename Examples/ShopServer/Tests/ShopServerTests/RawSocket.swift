import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The response of a server on 127.0.0.1 to raw bytes, until it closes the connection.
func exchange(_ bytes: String, port: Int) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
            continuation.resume(with: Result { try blockingExchange(bytes, port: port) })
        }
    }
}

private func blockingExchange(_ bytes: String, port: Int) throws -> String {
    #if os(Linux)
    let (streamType, noSignal) = (Int32(SOCK_STREAM.rawValue), Int32(MSG_NOSIGNAL))
    #else
    let (streamType, noSignal) = (SOCK_STREAM, Int32(0))
    signal(SIGPIPE, SIG_IGN)
    #endif
    let descriptor = socket(AF_INET, streamType, 0)
    guard descriptor >= 0 else { throw RawSocketError(step: "socket", code: errno) }
    defer { _ = close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let connected = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
    guard connected == 0 else { throw RawSocketError(step: "connect", code: errno) }
    // Only ends a test that would hang.
    var timeout = timeval(tv_sec: 120, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    var rest = Array(bytes.utf8)[...]
    while !rest.isEmpty {
        let sent = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, noSignal) }
        guard sent > 0 else { break }  // the server has answered and closed already
        rest = rest.dropFirst(sent)
    }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { break }
        answer += buffer.prefix(count)
    }
    return String(decoding: answer, as: UTF8.self)
}

struct RawSocketError: Error {
    let step: String
    let code: Int32
}
