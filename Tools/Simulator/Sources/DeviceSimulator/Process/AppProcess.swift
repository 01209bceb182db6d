import AstrolabePlatform
import Foundation

/// The app's process.
final class AppProcess: Sendable {
    let processID: Int32
    /// Yields once, after the process has ended and its output has been read.
    let end: AsyncStream<AppEnd>
    /// The lines of the output as they come. A reader that is late misses the oldest.
    let output: AsyncStream<[String]>

    private let process: Process
    private let state: Locked<State>

    private struct State {
        var lastLines: [String] = []
        /// Why the phone killed the process; `nil` if it did not.
        var killReason: AppEnd.KillReason?
        var hasEnded = false
    }

    private static let linesKept = 20
    private static let bufferedOutput = 64

    /// - Parameter log: The file for the app's output.
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
        let (lines, line) = AsyncStream.makeStream(
            of: [String].self, bufferingPolicy: .bufferingNewest(Self.bufferedOutput))
        self.output = lines
        let state = Locked(State())
        self.state = state
        let reader = Thread {
            Self.read(output.fileHandleForReading, into: state, log: log) { line.yield($0) }
            line.finish()
            process.waitUntilExit()
            let final = state.withLock { state in
                state.hasEnded = true
                return state
            }
            end.yield(
                process.terminationReason == .uncaughtSignal
                    ? AppEnd(
                        signal: process.terminationStatus, killReason: final.killReason, lastLines: final.lastLines)
                    : AppEnd(status: process.terminationStatus, lastLines: final.lastLines)
            )
            end.finish()
        }
        reader.name = "app-output"
        reader.start()
    }

    func suspend() { send(SIGSTOP) }
    func resume() { send(SIGCONT) }

    func kill(_ reason: AppEnd.KillReason = .requested) {
        state.withLock { $0.killReason = $0.killReason ?? reason }
        send(SIGKILL)
    }

    /// Sends nothing if the process has ended, because its id may belong to another process by now.
    private func send(_ signal: Int32) {
        state.withLock { state in
            if !state.hasEnded, process.isRunning { _ = Foundation.kill(processID, signal) }
        }
    }

    private static func read(
        _ handle: FileHandle, into state: Locked<State>, log: URL, onLines: ([String]) -> Void,
    ) {
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
            var lines: [String] = []
            while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: pending[pending.startIndex..<end].prefix(500), as: UTF8.self)
                pending.removeSubrange(pending.startIndex...end)
                lines.append(line)
                state.withLock { state in
                    state.lastLines.append(line)
                    // The runtime's stack follows its message and can be long.
                    guard state.lastLines.count > linesKept else { return }
                    state.lastLines.remove(at: state.lastLines.firstIndex { !AppEnd.isFatalError($0) } ?? 0)
                }
            }
            if !lines.isEmpty { onLines(lines) }
            if pending.count > 64 << 10 { pending.removeAll() }
        }
        try? file?.close()
    }
}
