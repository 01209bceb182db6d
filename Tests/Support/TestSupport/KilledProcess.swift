import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// A run of a fixture, which works until it is killed, and tells what it was promised.
package final class KilledProcess {
    private let process = Process()
    private let pipe = Pipe()

    /// - Parameter fixture: The executable's name, which is built beside the tests.
    package init(_ arguments: [String], of fixture: String = "AstrolabeKillFixture") throws {
        process.executableURL = try BuiltProducts.executable(named: fixture)
        process.arguments = arguments
        process.standardOutput = pipe
        try process.run()
        // So that the end of the process is the end of the pipe.
        try pipe.fileHandleForWriting.close()
    }

    deinit {
        kill()
    }

    /// The number of kills that a test of durability does: 200 in a thorough run, and otherwise 5.
    package static let count = Thoroughness.count(5, thorough: 200)

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
        Message.receive(from: descriptor)
    }

    /// What `receive` reads, for a thread of the caller's; it lasts as long as this does.
    package var descriptor: Int32 { pipe.fileHandleForReading.fileDescriptor }

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

    /// How the process ended, after waiting until it did: its exit status, or `nil` where it was killed.
    package func waitForEnd() -> Int32? {
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : nil
    }
}
