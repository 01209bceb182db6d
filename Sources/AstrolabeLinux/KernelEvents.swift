#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

#if os(Linux) || os(Android)
/// A file descriptor with the events to wait for, closed with its owner.
final class KernelEvents: Sendable {
    let descriptor: Int32
    let interest: Int16

    private init(descriptor: Int32, interest: Int32) {
        self.descriptor = descriptor
        self.interest = Int16(truncatingIfNeeded: interest)
    }

    deinit { close(descriptor) }

    /// Returns a descriptor that is readable after every change of an interface, address or route in the network
    /// namespace.
    ///
    /// A bound rtnetlink socket. `nil` if the system does not allow it, as on Android.
    static func links() -> KernelEvents? {
        let socket = socket(AF_NETLINK, RouteNetlink.rawSocket, RouteNetlink.routeProtocol)
        guard socket >= 0 else { return nil }
        let events = KernelEvents(descriptor: socket, interest: POLLIN)
        guard setNonBlocking(socket) else { return nil }
        var address = RouteNetlink.Address(
            family: UInt16(AF_NETLINK), padding: 0, port: 0, groups: RouteNetlink.groups,
        )
        let size = socklen_t(MemoryLayout.size(ofValue: address))
        let isBound = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, size) == 0 }
        }
        return isBound ? events : nil
    }

    /// Returns a descriptor with a priority event, at most once per window, if tasks stall longer than the threshold.
    ///
    /// A PSI trigger. Since Linux 6.5 the kernel accepts windows in multiples of 2 seconds from unprivileged processes,
    /// and 0.5 to 10 seconds from privileged ones. `nil` if the file is missing or the trigger is rejected.
    static func stalls(
        in path: String, of kind: String, microseconds threshold: Int, perMicroseconds window: Int = 2_000_000,
    ) -> KernelEvents? {
        let file = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        let events = KernelEvents(descriptor: file, interest: POLLPRI)
        let trigger = Array("\(kind) \(threshold) \(window)".utf8) + [0]
        return write(file, trigger, trigger.count) == trigger.count ? events : nil
    }

    /// Discards all readable data. Its contents do not matter: the files are read again after every event.
    func drain() {
        var bytes = [UInt8](repeating: 0, count: 8192)
        while read(descriptor, &bytes, bytes.count) > 0 || errno == ENOBUFS {
            errno = 0
        }
    }

    private static func setNonBlocking(_ descriptor: Int32) -> Bool {
        let flags = fcntl(descriptor, F_GETFL)
        return flags >= 0 && fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) >= 0
            && fcntl(descriptor, F_SETFD, FD_CLOEXEC) >= 0
    }
}

/// A pipe that interrupts a `poll`.
final class Wakeup: Sendable {
    let readEnd: Int32
    private let writeEnd: Int32

    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        readEnd = ends[0]
        writeEnd = ends[1]
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Interrupts the poll. A full pipe has the same effect as another byte.
    func signal() {
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
    }

    func drain() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(readEnd, &bytes, bytes.count) > 0 {}
    }
}

/// Constants of the kernel's `linux/netlink.h` and `linux/rtnetlink.h`, which no Swift module exports.
private enum RouteNetlink {
    /// `struct sockaddr_nl`.
    struct Address {
        var family: UInt16
        var padding: UInt16
        var port: UInt32
        var groups: UInt32
    }

    /// `SOCK_RAW`, which C libraries declare with different types.
    static let rawSocket: Int32 = 3
    /// `NETLINK_ROUTE`.
    static let routeProtocol: Int32 = 0
    /// `RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_IFADDR | RTMGRP_IPV6_ROUTE`.
    static let groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400
}
#endif
