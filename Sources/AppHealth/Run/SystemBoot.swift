import AstrolabePlatform

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Facts about the system's boot, this process and its memory.
package enum SystemBoot {
    /// Returns an environment variable; `nil` if it is not set.
    static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Seconds of CPU time that the process has used; `nil` if the system does not report it.
    static var cpuTime: (user: Double, system: Double)? {
        var usage = rusage()
        // 0 is RUSAGE_SELF, which is a number in Darwin and an enumeration in Glibc.
        guard getrusage(0, &usage) == 0 else { return nil }
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return (seconds(usage.ru_utime), seconds(usage.ru_stime))
    }

    #if canImport(Darwin)
    private static var process: kinfo_proc? {
        var info = kinfo_proc()
        var size = MemoryLayout<kinfo_proc>.size
        var name: [Int32] = [CTL_KERN, KERN_PROC, KERN_PROC_PID, getpid()]
        return sysctl(&name, 4, &info, &size, nil, 0) == 0 ? info : nil
    }

    /// The start time of this process in nanoseconds since 1970; the current time if the system does not report it.
    static var processStart: UInt64 {
        // `p_starttime` is a C macro.
        guard let time = process?.kp_proc.p_un.__p_starttime else { return SystemTime.wall }
        return UInt64(clamping: time.tv_sec) * 1_000_000_000 + UInt64(clamping: time.tv_usec) * 1_000
    }

    static var isDebugged: Bool { process.map { $0.kp_proc.p_flag & P_TRACED != 0 } ?? false }

    /// Bytes that the process may still allocate and that it uses; 0 if the system does not report them.
    static var memory: (free: UInt64, used: UInt64) {
        var info = task_vm_info_data_t()
        var count = mach_msg_type_number_t(MemoryLayout<task_vm_info_data_t>.size / MemoryLayout<integer_t>.size)
        let result = withUnsafeMutablePointer(to: &info) { info in
            info.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
                task_info(mach_task_self_, task_flavor_t(TASK_VM_INFO), $0, &count)
            }
        }
        guard result == KERN_SUCCESS else { return (0, 0) }
        return (info.limit_bytes_remaining, info.phys_footprint)
    }
    #else
    /// The start time of this process in nanoseconds since 1970; the current time if the system does not report it.
    static var processStart: UInt64 {
        let (wall, sinceBoot) = (SystemTime.wall, SystemTime.sinceBoot)
        // The second field is the name in parentheses, which may contain any character.
        let line = KernelFile.firstLine(of: "/proc/self/stat")[...]
        let fields = line.parts { $0 == UInt8(ascii: ")") }.last?.words ?? []
        let ticksPerSecond = UInt64(clamping: sysconf(Int32(_SC_CLK_TCK)))
        guard fields.count > 19, let ticks = UInt64(fields[19]), ticksPerSecond > 0 else { return wall }
        let start = ticks * (1_000_000_000 / ticksPerSecond)
        return start < sinceBoot ? wall - min(sinceBoot - start, wall) : wall
    }

    static var isDebugged: Bool {
        let line = KernelFile.text(of: "/proc/self/status").lines.first { $0.hasPrefix("TracerPid:") }
        return line.map { $0.words.last != "0" } ?? false
    }

    /// Bytes available on the system and bytes that the process uses; 0 if the system does not report them.
    static var memory: (free: UInt64, used: UInt64) {
        let line = KernelFile.text(of: "/proc/meminfo").lines.first { $0.hasPrefix("MemAvailable:") }
        let free = line?.words.dropFirst().first.flatMap { UInt64($0) } ?? 0
        let pages = KernelFile.firstLine(of: "/proc/self/statm").words.dropFirst().first.flatMap { UInt64($0) }
        return (free * 1_024, (pages ?? 0) * UInt64(clamping: sysconf(Int32(_SC_PAGESIZE))))
    }
    #endif
}
