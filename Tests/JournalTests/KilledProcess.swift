import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// A run of `KillFixture` that was killed with SIGKILL after it had sent a number of messages, and all that it sent.
struct KilledProcess {
    struct Message {
        enum Kind: UInt64 {
            case appended = 1
            case acknowledging
            case acknowledged
            case enqueued
            case removed
        }

        let kind: Kind
        let first: UInt64
        let second: UInt64
    }

    private(set) var messages: [Message] = []

    init(_ arguments: [String], afterMessages count: Int) throws {
        let process = try Self.start(arguments)
        while messages.count < count, let message = process.readMessage() { messages.append(message) }
        process.kill()
        while let message = process.readMessage() { messages.append(message) }
        #expect(messages.count >= count, "the process ended by itself")
    }

    /// A process that runs until it is killed.
    final class Running {
        private let process = Process()
        private let pipe = Pipe()

        fileprivate init(_ executable: URL, _ arguments: [String]) throws {
            process.executableURL = executable
            process.arguments = arguments
            process.standardOutput = pipe
            try process.run()
            // So that the end of the process is the end of the pipe.
            try pipe.fileHandleForWriting.close()
        }

        deinit { kill() }

        /// The next message; `nil` after the last.
        func readMessage() -> Message? {
            var words = (UInt64(0), UInt64(0), UInt64(0))
            let descriptor = pipe.fileHandleForReading.fileDescriptor
            let isWhole = withUnsafeMutableBytes(of: &words) { buffer in
                var filled = 0
                while filled < buffer.count {
                    let count = read(descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
                    if count <= 0 { return false }
                    filled += count
                }
                return true
            }
            guard isWhole, let kind = Message.Kind(rawValue: words.0) else { return nil }
            return Message(kind: kind, first: words.1, second: words.2)
        }

        func kill() {
            guard process.isRunning else { return }
            #if canImport(Glibc)
            Glibc.kill(process.processIdentifier, SIGKILL)
            #else
            Darwin.kill(process.processIdentifier, SIGKILL)
            #endif
            process.waitUntilExit()
        }
    }

    static func start(_ arguments: [String]) throws -> Running {
        try Running(executable(), arguments)
    }

    /// `KillFixture` beside the tests' own bundle or executable.
    private static func executable() throws -> URL {
        var directory = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") { directory = bundle.bundleURL }
        while directory.path != "/" {
            directory.deleteLastPathComponent()
            let candidate = directory.appendingPathComponent("KillFixture")
            if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
        }
        throw CocoaError(.fileNoSuchFile)
    }
}
