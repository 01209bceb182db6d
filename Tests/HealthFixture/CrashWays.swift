import CCrashes
import Dispatch
import Foundation

/// All ways to end that the fixture knows.
enum CrashWays {
    static func end(by name: String) {
        switch name {
        case "null-dereference", "earlier-handler": crash_null_dereference()
        case "null-call": crash_null_call()
        case "beyond-file": crash_beyond_file()
        case "bad-instruction": crash_bad_instruction()
        case "breakpoint": crash_breakpoint()
        case "division": crash_division()
        case "forbidden-call": crash_forbidden_call()
        case "abort": crash_abort()
        case "in-handler": crash_in_handler()
        case "fatal-error": fatalError("the telescope fell over")
        case "precondition": precondition(number(0) == 1, "a lens is missing")
        case "forced-unwrap": unwrap()
        case "index": _ = [1, 2, 3][number(7)]
        case "overflow": _ = Int8(truncatingIfNeeded: number(1)) + Int8(truncatingIfNeeded: number(127))
        case "forced-cast": cast()
        case "stack-overflow": print(deepen(number(1)))
        case "thread": onThread { crash_null_dereference() }
        case "thread-stack-overflow": onThread { print(deepen(number(1))) }
        case "task": inTask()
        case "two-threads": inTwoThreads()
        case "clean-exit": exit(0)
        case "killed", "killed-in-background": kill(getpid(), SIGKILL)
        default: print("expected a way to end, found \(name)")
        }
    }

    @inline(never)
    private static func number(_ number: Int) -> Int { ProcessInfo.processInfo.arguments.count > 90 ? 0 : number }

    private static func unwrap() {
        // swift-format-ignore: NeverForceUnwrap
        _ = Int(ProcessInfo.processInfo.processName)!
    }

    private static func cast() {
        // swift-format-ignore: NeverForceUnwrap
        _ = (number(1) as Any) as! String
    }

    @inline(never)
    private static func deepen(_ depth: Int) -> Int {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 64) { memory in
            memory[0] = depth
            return depth > 0 ? deepen(depth + 1) + memory[0] : 0
        }
    }

    private static func onThread(_ body: @escaping @Sendable () -> Void) {
        Thread.detachNewThread {
            Thread.current.name = "doomed"
            body()
        }
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
