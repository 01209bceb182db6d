import AstrolabeDeviceConditions
import AstrolabePlatform

/// The network path of Linux, read from its routes and interfaces.
///
/// The path is the default route with the lowest metric whose interface is up. If that is a tunnel, the medium is that
/// of the next default route over a device, which the tunnel uses.
enum LinuxNetwork {
    struct DefaultRoute: Hashable {
        var interface: String
        var metric: UInt32
    }

    static func path(in tree: SystemTree) -> NetworkPath {
        let routes =
            defaultRoutes(ipv4: tree.text("/proc/net/route") ?? "")
            + defaultRoutes(ipv6: tree.text("/proc/net/ipv6_route") ?? "")
        let media = routes.sorted { $0.metric < $1.metric }
            .filter { isWorking($0.interface, in: tree) }
            .map { medium(of: $0.interface, in: tree) }
        guard !media.isEmpty else { return .offline }
        return NetworkPath(media.first { $0 != .unknown } ?? .unknown)
    }

    /// Parses the default routes of `/proc/net/route`.
    ///
    /// The fields are: interface, destination, gateway, flags, 2 counts, metric, mask.
    static func defaultRoutes(ipv4 text: String) -> [DefaultRoute] {
        text.lines.compactMap { line in
            let fields = line.words
            guard fields.count >= 8, UInt32(fields[1], radix: 16) == 0, UInt32(fields[7], radix: 16) == 0,
                let flags = UInt32(fields[3], radix: 16), leadsOut(flags), let metric = UInt32(fields[6])
            else { return nil }
            return DefaultRoute(interface: String(fields[0]), metric: metric)
        }
    }

    /// Parses the default routes of `/proc/net/ipv6_route`.
    ///
    /// The fields are: destination and length, source and length, next hop, metric, 2 counts, flags, interface; all
    /// numbers are hexadecimal.
    static func defaultRoutes(ipv6 text: String) -> [DefaultRoute] {
        text.lines.compactMap { line in
            let fields = line.words
            guard fields.count >= 10, fields[1] == "00", fields[0].utf8.allSatisfy({ $0 == UInt8(ascii: "0") }),
                fields[9] != "lo",
                let flags = UInt32(fields[8], radix: 16), leadsOut(flags), let metric = UInt32(fields[5], radix: 16)
            else { return nil }
            return DefaultRoute(interface: String(fields[9]), metric: metric)
        }
    }

    static func medium(of interface: String, in tree: SystemTree) -> NetworkPath.Medium {
        let directory = "/sys/class/net/" + interface
        if tree.exists(directory + "/wireless") || tree.exists(directory + "/phy80211") { return .wifi }
        let deviceType = (tree.text(directory + "/uevent") ?? "").lines
            .first { $0.hasPrefix("DEVTYPE=") }?.dropFirst("DEVTYPE=".count)
        switch deviceType {
        case "wlan": return .wifi
        case "wwan": return .cellular
        default: break
        }
        switch tree.integer(directory + "/type") {
        case HardwareType.ethernet: return .ethernet
        case HardwareType.rawIP: return .cellular
        default: return .unknown
        }
    }

    /// Returns true if the interface is up administratively and physically. Tunnels and modems that work often report
    /// `unknown`. If nothing can be read (a sandbox), the route counts as working.
    private static func isWorking(_ interface: String, in tree: SystemTree) -> Bool {
        let directory = "/sys/class/net/" + interface
        if tree.text(directory + "/carrier") == "0" { return false }
        switch tree.text(directory + "/operstate") {
        case "up", "unknown", nil: return true
        default: return false
        }
    }

    private static func leadsOut(_ flags: UInt32) -> Bool {
        let up: UInt32 = 0x0001
        let reject: UInt32 = 0x0200
        return flags & up != 0 && flags & reject == 0
    }

    /// `ARPHRD_…` of the kernel's `if_arp.h`.
    private enum HardwareType {
        static let ethernet = 1
        /// Mobile broadband modems.
        static let rawIP = 519
    }
}
