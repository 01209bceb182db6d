import AstrolabeDeviceConditions
import AstrolabePlatform

/// The memory pressure of Linux, from the time that tasks stall (PSI) or else from the available memory.
///
/// The pressure is `warning` if some task stalls for 10 % of the last ten seconds, and `critical` if all tasks stall
/// for 5 %. The kernel ends processes only much later. Without PSI, `MemAvailable` under 10 % and under 5 % of the
/// total have the same effect.
enum LinuxMemory {
    static func pressure(in tree: SystemTree) -> MemoryPressure {
        if let stalls = tree.text("/proc/pressure/memory") {
            if (average(of: "full", in: stalls) ?? 0) >= 5 { return .critical }
            return (average(of: "some", in: stalls) ?? 0) >= 10 ? .warning : .normal
        }
        let info = tree.text("/proc/meminfo") ?? ""
        guard let total = kilobytes("MemTotal", in: info), total > 0, let left = kilobytes("MemAvailable", in: info)
        else { return .normal }
        if left * 20 < total { return .critical }
        return left * 10 < total ? .warning : .normal
    }

    /// Returns the share of the last ten seconds in percent.
    private static func average(of kind: String, in stalls: String) -> Double? {
        let line = stalls.lines.first { $0.hasPrefix(kind + " ") }
        let field = line?.words.first { $0.hasPrefix("avg10=") }
        return field.flatMap { Double($0.dropFirst("avg10=".count)) }
    }

    private static func kilobytes(_ name: String, in info: String) -> Int? {
        let line = info.lines.first { $0.hasPrefix(name + ":") }
        return line?.words.dropFirst().first.flatMap { Int($0) }
    }
}

/// Holds an alarm of the kernel for some time, because the polled averages lag behind it.
struct PressureLatch {
    private var alarm = MemoryPressure.normal
    private var end: UInt64 = 0

    /// Ten seconds in nanoseconds: the period of the averages.
    static let holdNanoseconds: UInt64 = 10_000_000_000

    mutating func raise(_ level: MemoryPressure, at now: UInt64) {
        alarm = now < end ? max(alarm, level) : level
        end = now + Self.holdNanoseconds
    }

    /// Returns the worse of the polled level and an alarm that still holds.
    func level(polled: MemoryPressure, at now: UInt64) -> MemoryPressure {
        now < end ? max(alarm, polled) : polled
    }
}
