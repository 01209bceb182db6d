import Astrolabe
import CCrashes
import Dispatch
import Foundation

/// All ways to end that the fixture knows.
///
/// A line with `crashes here: NAME` is the one that a crash of that name must be said to have happened in.
enum CrashWays {
    static func end(by name: String) {
        switch name {
        case "null-dereference", "earlier-handler": crash_null_dereference()
        case "inlined-in-c": crash_inlined()
        case "null-call": crash_null_call()
        case "beyond-file": crash_beyond_file()
        case "bad-instruction": crash_bad_instruction()
        case "breakpoint": crash_breakpoint()
        case "division": crash_division()
        case "forbidden-call": crash_forbidden_call()
        case "abort": crash_abort()
        case "uncaught-exception": crash_uncaught_exception()
        case "in-handler": crash_in_handler()
        case "thread": onThread { crash_null_dereference() }
        case "thread-stack-overflow": onThread { print(SwiftCrashes.deepen(1)) }
        case "task": inTask()
        case "two-threads": inTwoThreads()
        case "clean-exit": exit(0)
        case "killed", "killed-in-background": kill(getpid(), SIGKILL)
        case "terminated": send(SIGTERM)
        case "hung-up": send(SIGHUP)
        case "ignored-signal":
            kill(getpid(), SIGTERM)
            exit(0)
        case "broken-pipe": breakPipe()
        default: SwiftCrashes.end(by: name)
        }
    }

    /// Crashes after these decisions and with files of its own, where another reporter of crashes calls the handler
    /// that it found at the start.
    static func passOn(_ telemetry: Telemetry, after decisions: [TelemetryConsent], _ folder: String) {
        install_handler_that_passes_on()
        Task.detached {
            for decision in decisions { await telemetry.setConsent(decision) }
            var files: [FileHandle?] = []
            for number in 0..<64 {
                let path = "\(folder)/app-\(number)"
                _ = FileManager.default.createFile(atPath: path, contents: Data("mine".utf8))
                files.append(FileHandle(forUpdatingAtPath: path))
            }
            crash_null_dereference()
            withExtendedLifetime(files) {}
        }
        RunLoop.main.run()
    }

    private static func onThread(_ body: @escaping @Sendable () -> Void) {
        Thread.detachNewThread {
            Thread.current.name = "doomed"
            body()
        }
        while true { pause() }
    }

    private static func send(_ signal: Int32) {
        kill(getpid(), signal)
        while true { pause() }
    }

    /// Writes to a pipe without a reader.
    private static func breakPipe() {
        var ends: [Int32] = [0, 0]
        _ = pipe(&ends)
        close(ends[0])
        var byte: UInt8 = 0
        _ = write(ends[1], &byte, 1)
        while true { pause() }
    }

    private static func inTask() {
        Task.detached {
            await Task.yield()
            crash_null_dereference()
        }
        while true { pause() }
    }

    private static func inTwoThreads() {
        for _ in 0..<2 { Thread.detachNewThread { crash_null_dereference() } }
        while true { pause() }
    }
}
