import Foundation
import Testing

@testable import AstrolabeDeviceConditions

/// A root directory with copies of the kernel's files, removed with its owner.
final class FixtureTree: Sendable {
    let root: URL

    var tree: SystemTree { SystemTree(root: root.path) }

    init(_ files: [String: String] = [:]) throws {
        root = FileManager.default.temporaryDirectory.appendingPathComponent("tree-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        for (path, text) in files { try write(text, to: path) }
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    func write(_ text: String, to path: String) throws {
        let file = root.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
        )
        try Data((text + "\n").utf8).write(to: file, options: .atomic)
    }

    func remove(_ path: String) throws {
        try FileManager.default.removeItem(at: root.appendingPathComponent(path))
    }
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
