import AstrolabeDeviceConditions
import AstrolabeTestSupport
import Foundation

extension FixtureTree {
    var tree: SystemTree { SystemTree(root: root.path) }
}

/// The files of a laptop that uses both its radio and its cable.
enum Fixtures {
    static let routeHeader = "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT"

    static func route(_ interface: String, metric: Int, flags: String = "0003") -> String {
        "\(interface)\t00000000\t0102A8C0\t\(flags)\t0\t0\t\(metric)\t00000000\t0\t0\t0"
    }

    static func routes(_ lines: String...) -> [String: String] {
        ["proc/net/route": ([routeHeader] + lines).joined(separator: "\n")]
    }

    static func interface(_ name: String, type: Int = 1, state: String = "up", extra: [String: String] = [:])
        -> [String: String]
    {
        var files = [
            "sys/class/net/\(name)/type": "\(type)",
            "sys/class/net/\(name)/operstate": state,
            "sys/class/net/\(name)/carrier": state == "down" ? "0" : "1",
        ]
        for (file, text) in extra { files["sys/class/net/\(name)/\(file)"] = text }
        return files
    }

    static func wifi(_ name: String = "wlan0", state: String = "up") -> [String: String] {
        interface(name, state: state, extra: ["wireless/.keep": "", "uevent": "DEVTYPE=wlan\nINTERFACE=\(name)"])
    }

    static func battery(
        _ name: String = "BAT0", percent: Int, status: String, extra: [String: String] = [:],
    ) -> [String: String] {
        let directory = "sys/class/power_supply/\(name)/"
        var files = [
            directory + "type": "Battery", directory + "present": "1", directory + "capacity": "\(percent)",
            directory + "status": status,
        ]
        for (file, text) in extra { files[directory + file] = text }
        return files
    }

    static func mains(isOnline: Bool) -> [String: String] {
        ["sys/class/power_supply/AC/type": "Mains", "sys/class/power_supply/AC/online": isOnline ? "1" : "0"]
    }

    static func pressure(some: String = "0.00", full: String = "0.00") -> [String: String] {
        [
            "proc/pressure/memory": """
            some avg10=\(some) avg60=0.00 avg300=0.00 total=0
            full avg10=\(full) avg60=0.00 avg300=0.00 total=0
            """
        ]
    }
}

func + (left: [String: String], right: [String: String]) -> [String: String] {
    left.merging(right) { _, new in new }
}
