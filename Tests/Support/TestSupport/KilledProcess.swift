#if os(macOS) || os(Linux)
import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// A run of a fixture that works until it is killed and reports what it was promised.
package final class KilledProcess {
    private let process = Process()
    private let pipe = Pipe()

    /// - Parameter fixture: The executable's name, built next to the tests.
    package init(_ arguments: [String], of fixture: String = "AstrolabeKillFixture") throws {
        process.executableURL = try BuiltProducts.executable(named: fixture)
        process.arguments = arguments
        // A crash on purpose needs no backtrace.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        process.standardOutput = pipe
        try process.run()
        // So that the pipe ends when the process does.
        try pipe.fileHandleForWriting.close()
    }

    deinit {
        kill()
    }

    /// The number of kills of a durability test: 200 in a thorough run, otherwise 5.
    package static let count = Thoroughness.count(5, thorough: 200)

    /// Kills a process after it has reported `count` promises; returns all its messages.
    package static func messages(of arguments: [String], killAfter count: Int) throws -> [Message] {
        let process = try KilledProcess(arguments)
        var messages: [Message] = []
        while messages.count < count {
            guard let message = process.receive() else { throw EndedByItself(arguments: arguments) }
            messages.append(message)
        }
        process.kill()
        while let message = process.receive() { messages.append(message) }
        return messages
    }

    package struct EndedByItself: Error {
        package let arguments: [String]
    }

    /// Returns the next message; `nil` after the last.
    package func receive() -> Message? {
        Message.receive(from: descriptor)
    }

    /// The descriptor that `receive` reads, for the caller's own thread; valid as long as this object.
    package var descriptor: Int32 { pipe.fileHandleForReading.fileDescriptor }

    /// Kills the process with SIGKILL and waits for its end.
    package func kill() {
        guard process.isRunning else { return }
        #if canImport(Glibc)
        Glibc.kill(process.processIdentifier, SIGKILL)
        #else
        Darwin.kill(process.processIdentifier, SIGKILL)
        #endif
        process.waitUntilExit()
    }

    /// The CPU time of the process so far, in seconds, and the most memory that it has had, in MiB.
    package var usage: (seconds: Double, mebibytes: Double) {
        let folder = "/proc/\(process.processIdentifier)/"
        let status = (try? String(contentsOfFile: folder + "status", encoding: .utf8)) ?? ""
        let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }?.split(separator: " ")
        // The second field is the name in parentheses. Times are in hundredths of a second on all Linux systems.
        let stat = (try? String(contentsOfFile: folder + "stat", encoding: .utf8)) ?? ""
        let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
        let ticks = fields.count > 12 ? (Double(fields[11]) ?? 0) + (Double(fields[12]) ?? 0) : 0
        return (ticks / 100, (peak?.dropFirst().first.flatMap { Double($0) } ?? 0) / 1_024)
    }

    /// Waits for the end of the process; returns its exit status, or `nil` if it was killed.
    package func waitForEnd() -> Int32? {
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : nil
    }
}
#endif
