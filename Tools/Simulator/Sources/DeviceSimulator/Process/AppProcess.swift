import AstrolabePlatform
import Foundation

/// The app as the process that it is.
final class AppProcess: Sendable {
    let processID: Int32
    /// Yields once, when the process has ended and all that it wrote has been read.
    let end: AsyncStream<AppEnd>

    private let process: Process
    private let state: Locked<State>

    private struct State {
        var lastWords: [String] = []
        /// Why the phone killed it, where it did.
        var sentence: AppEnd.Sentence?
        var hasEnded = false
    }

    private static let wordsKept = 20

    /// - Parameter log: Where what the app writes is appended to.
    /// - Throws: ``PhoneError/cannotLaunch(_:)``
    init(_ executable: URL, environment: [String: String], log: URL) throws(PhoneError) {
        let process = Process()
        let output = Pipe()
        process.executableURL = executable
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        do {
            try process.run()
        } catch {
            throw .cannotLaunch("cannot start \(executable.path): \(error.localizedDescription)")
        }
        self.process = process
        processID = process.processIdentifier
        let (ends, end) = AsyncStream.makeStream(of: AppEnd.self)
        self.end = ends
        let state = Locked(State())
        self.state = state
        let reader = Thread {
            Self.read(output.fileHandleForReading, into: state, log: log)
            process.waitUntilExit()
            let final = state.withLock { state in
                state.hasEnded = true
                return state
            }
            end.yield(
                process.terminationReason == .uncaughtSignal
                    ? AppEnd(
                        signal: process.terminationStatus, sentence: final.sentence, lastWords: final.lastWords, )
                    : AppEnd(status: process.terminationStatus, lastWords: final.lastWords)
            )
            end.finish()
        }
        reader.name = "app-output"
        reader.start()
    }

    func suspend() { send(SIGSTOP) }
    func resume() { send(SIGCONT) }

    func kill(_ sentence: AppEnd.Sentence = .asked) {
        state.withLock { $0.sentence = $0.sentence ?? sentence }
        send(SIGKILL)
    }

    /// Nothing where the process has ended: its number may be another's by now.
    private func send(_ signal: Int32) {
        state.withLock { state in
            if !state.hasEnded, process.isRunning { _ = Foundation.kill(processID, signal) }
        }
    }

    private static func read(_ handle: FileHandle, into state: Locked<State>, log: URL) {
        _ = FileManager.default.createFile(
            atPath: log.path, contents: nil, attributes: [.posixPermissions: 0o600],
        )
        let file = try? FileHandle(forWritingTo: log)
        var pending = Data()
        while true {
            let data = handle.availableData
            if data.isEmpty { break }
            try? file?.write(contentsOf: data)
            pending.append(data)
            while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: pending[pending.startIndex..<end].prefix(500), as: UTF8.self)
                pending.removeSubrange(pending.startIndex...end)
                state.withLock { state in
                    state.lastWords.append(line)
                    if state.lastWords.count > wordsKept { state.lastWords.removeFirst() }
                }
            }
            if pending.count > 64 << 10 { pending.removeAll() }
        }
        try? file?.close()
    }
}
