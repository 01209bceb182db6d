import AstrolabePlatform

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Reads the context of a Linux device from files of the kernel and the distribution, and from the environment.
enum LinuxDevice {
    static func context(
        tree: SystemTree, environment: (String) -> String?, processorCount: Int, appVersion: String,
        buildNumber: String,
    ) -> DeviceContext {
        let release = fields(of: tree.text("/etc/os-release") ?? "")
        let firmware = "/sys/class/dmi/id/"
        let model = tree.text(firmware + "product_name") ?? tree.text("/proc/device-tree/model") ?? ""
        return DeviceContext(
            platform: "linux",
            osName: release["NAME"] ?? "Linux",
            osVersion: release["VERSION_ID"] ?? tree.text("/proc/sys/kernel/osrelease") ?? "",
            manufacturer: tree.text(firmware + "sys_vendor") ?? "",
            deviceModelRaw: model,
            isSimulator: false,
            processorCount: processorCount,
            physicalMemoryGB: memory(in: environment) ?? memory(in: tree),
            locale: locale(in: environment),
            timezone: timezone(in: tree, environment: environment),
            appVersion: appVersion,
            buildNumber: buildNumber,
        )
    }

    /// Parses lines of the form `NAME=value`, quoted or not.
    static func fields(of text: String) -> [String: String] {
        var fields: [String: String] = [:]
        for line in text.lines {
            let parts = line.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1).map { Substring($0) }
            guard parts.count == 2 else { continue }
            fields[String(parts[0])] = String(parts[1].filter { $0 != "\"" && $0 != "'" })
        }
        return fields
    }

    /// Returns the memory of the device that this process imitates, in gigabytes, if it imitates one.
    private static func memory(in environment: (String) -> String?) -> Double? {
        environment("ASTROLABE_DEVICE_MEMORY_GB").flatMap { Double($0) }.flatMap { $0 > 0 && $0 < 1_024 ? $0 : nil }
    }

    /// Returns the memory of the machine, in gigabytes; 0 if it cannot be read.
    private static func memory(in tree: SystemTree) -> Double {
        let line = tree.text("/proc/meminfo")?.lines.first { $0.hasPrefix("MemTotal:") }
        return Double((line?.words ?? []).dropFirst().first.flatMap { Int($0) } ?? 0) / 1_048_576
    }

    /// Returns the locale, such as `de_DE` for `de_DE.UTF-8@euro`, in the C library's order of variables.
    private static func locale(in environment: (String) -> String?) -> String {
        let name = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty }
        return String((name ?? "C").prefix { $0 != "." && $0 != "@" })
    }

    private static func timezone(in tree: SystemTree, environment: (String) -> String?) -> String {
        if let name = environment("TZ"), !name.isEmpty { return String(name.drop { $0 == ":" }) }
        let link = tree.destination(ofLink: "/etc/localtime")?[...].parts { $0 == UInt8(ascii: "/") } ?? []
        if let folder = link.firstIndex(of: "zoneinfo") { return link[(folder + 1)...].joined(separator: "/") }
        return tree.text("/etc/timezone") ?? "UTC"
    }
}

#if os(Linux) || os(Android)
extension DeviceContext {
    /// The current context of this device and app, with the app versions that the caller passes.
    package static func current(appVersion: String = "", buildNumber: String = "") -> DeviceContext {
        LinuxDevice.context(
            tree: SystemTree(),
            environment: { name in getenv(name).map { String(cString: $0) } },
            processorCount: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))),
            appVersion: appVersion,
            buildNumber: buildNumber,
        )
    }
}
#endif
