import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// A run of `KillFixture`, which works until it is killed, and tells what it was promised.
package final class KilledProcess {
    private let process = Process()
    private let pipe = Pipe()

    package init(_ arguments: [String]) throws {
        process.executableURL = try BuiltProducts.executable(named: "KillFixture")
        process.arguments = arguments
        process.standardOutput = pipe
        try process.run()
        // So that the end of the process is the end of the pipe.
        try pipe.fileHandleForWriting.close()
    }

    deinit {
        kill()
    }

    /// The number of kills that a test of durability does: the environment's `ASTROLABE_KILLS`, or else 10.
    package static var count: Int {
        ProcessInfo.processInfo.environment["ASTROLABE_KILLS"].flatMap { Int($0) } ?? 10
    }

    /// Kills a process after it has told `count` promises; gives all that it told.
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

    /// The next message; `nil` after the last.
    package func receive() -> Message? {
        Message.receive(from: pipe.fileHandleForReading.fileDescriptor)
    }

    /// Ends the process as no process can prevent, and waits until it is gone.
    package func kill() {
        guard process.isRunning else { return }
        #if canImport(Glibc)
        Glibc.kill(process.processIdentifier, SIGKILL)
        #else
        Darwin.kill(process.processIdentifier, SIGKILL)
        #endif
        process.waitUntilExit()
    }
}
