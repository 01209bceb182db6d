import Dispatch
import Foundation

/// The threads of this process besides the one that looks at them.
enum OtherThreads {
    private static let queue = DispatchQueue(label: "astrolabe.witness.rest")

    /// Returns when no thread has had work in three looks in a row.
    ///
    /// A thread that waits for a processor, as on a busy machine, has work. One that waits for the network has not.
    static func rest() async {
        await withCheckedContinuation { caller in
            queue.async {
                var quietLooks = 0
                while quietLooks < 3 {
                    usleep(100)
                    quietLooks = areAsleep ? quietLooks + 1 : 0
                }
                caller.resume()
            }
        }
    }

    #if canImport(Darwin)
    /// As far as one look at each tells.
    private static var areAsleep: Bool {
        var threads: thread_act_array_t?
        var count: mach_msg_type_number_t = 0
        guard task_threads(mach_task_self_, &threads, &count) == KERN_SUCCESS, let threads else { return false }
        let own = mach_thread_self()
        defer {
            for index in 0..<Int(count) { mach_port_deallocate(mach_task_self_, threads[index]) }
            mach_port_deallocate(mach_task_self_, own)
            let size = vm_size_t(count) * vm_size_t(MemoryLayout<thread_t>.stride)
            vm_deallocate(mach_task_self_, vm_address_t(UInt(bitPattern: threads)), size)
        }
        return (0..<Int(count)).allSatisfy { threads[$0] == own || isAsleep(threads[$0]) }
    }

    private static func isAsleep(_ thread: thread_t) -> Bool {
        var info = thread_basic_info()
        var count = mach_msg_type_number_t(MemoryLayout<thread_basic_info>.size / MemoryLayout<natural_t>.size)
        let result = withUnsafeMutablePointer(to: &info) { info in
            info.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
                thread_info(thread, thread_flavor_t(THREAD_BASIC_INFO), $0, &count)
            }
        }
        return result == KERN_SUCCESS && info.run_state == TH_STATE_WAITING
    }
    #else
    /// As far as one look at each tells.
    private static var areAsleep: Bool {
        let (files, folder) = (FileManager.default, "/proc/self/task")
        guard let threads = try? files.contentsOfDirectory(atPath: folder),
            let own = try? files.destinationOfSymbolicLink(atPath: "/proc/thread-self")
        else { return false }
        return threads.allSatisfy { thread in
            if own.hasSuffix("/\(thread)") { return true }
            // One that has ended meanwhile has no file.
            guard let stat = try? String(contentsOfFile: "\(folder)/\(thread)/stat", encoding: .utf8) else {
                return true
            }
            // The state follows the name, which is in parentheses and may contain any character (proc(5)).
            return stat.split(separator: ")").last?.hasPrefix(" S") == true
        }
    }
    #endif
}
