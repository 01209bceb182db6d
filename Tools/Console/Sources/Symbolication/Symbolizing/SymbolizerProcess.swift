import Foundation

/// A running `llvm-symbolizer`, which caches the debug information it has read.
///
/// Queries are sent in batches that fit into a pipe, each with a timeout. Each response is one line. Do not use it from
/// two threads at the same time.
final class SymbolizerProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let timeout: Duration
    private var unread: [UInt8] = []

    /// The maximum size of a batch in bytes: what every system's pipe accepts without blocking.
    private static let batchLimit = 4_096
    /// The maximum size of one response in bytes.
    private static let responseLimit = 1 << 20

    init(_ tool: URL, timeout: Duration) throws(SymbolError) {
        self.timeout = timeout
        // If the child has exited, `write` returns an error instead of ending this process.
        _ = signal(SIGPIPE, SIG_IGN)
        process.executableURL = tool
        process.arguments = ["--output-style=JSON", "--inlining", "--functions=linkage", "--demangle"]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            throw .symbolizerExited(detail: "could not start \(tool.path), \(error.localizedDescription)")
        }
        // Only the child keeps these ends open, so its exit closes the pipes.
        try? input.fileHandleForReading.close()
        try? output.fileHandleForWriting.close()
        _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(output.fileHandleForReading.fileDescriptor, F_SETFD, FD_CLOEXEC)
    }

    var isRunning: Bool { process.isRunning }

    func end() {
        try? input.fileHandleForWriting.close()
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    /// Returns one line for each query, in the same order.
    ///
    /// - Parameter queries: The queries, which must not contain line breaks.
    func responses(to queries: [String]) throws(SymbolError) -> [[UInt8]] {
        var responses: [[UInt8]] = []
        responses.reserveCapacity(queries.count)
        var batch: [UInt8] = []
        var waiting = 0
        for query in queries {
            if !batch.isEmpty, batch.count + query.utf8.count >= Self.batchLimit {
                try exchange(&batch, &waiting, &responses)
            }
            batch += query.utf8
            batch.append(UInt8(ascii: "\n"))
            waiting += 1
        }
        try exchange(&batch, &waiting, &responses)
        return responses
    }

    private func exchange(
        _ batch: inout [UInt8], _ waiting: inout Int, _ responses: inout [[UInt8]],
    ) throws(SymbolError) {
        guard waiting > 0 else { return }
        do {
            try input.fileHandleForWriting.write(contentsOf: Data(batch))
        } catch {
            throw .symbolizerExited(detail: "cannot write to its input, \(error.localizedDescription)")
        }
        let deadline = ContinuousClock.now + timeout
        for _ in 0..<waiting { responses.append(try line(before: deadline)) }
        batch.removeAll(keepingCapacity: true)
        waiting = 0
    }

    /// Returns the next non-empty line.
    private func line(before deadline: ContinuousClock.Instant) throws(SymbolError) -> [UInt8] {
        var searched = 0
        while true {
            if let end = unread[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(unread[..<end])
                unread.removeFirst(end + 1)
                searched = 0
                if !line.isEmpty { return line }
                continue
            }
            searched = unread.count
            guard unread.count <= Self.responseLimit else {
                throw .symbolizerExited(detail: "a response exceeds \(Self.responseLimit) bytes")
            }
            try readMore(before: deadline)
        }
    }

    private func readMore(before deadline: ContinuousClock.Instant) throws(SymbolError) {
        let descriptor = output.fileHandleForReading.fileDescriptor
        let left = ContinuousClock.now.duration(to: deadline)
        let milliseconds = left.components.seconds * 1_000 + left.components.attoseconds / 1_000_000_000_000_000
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let ready = milliseconds > 0 ? poll(&watched, 1, Int32(clamping: milliseconds)) : 0
        if ready < 0, errno == EINTR { return }
        guard ready != 0 else { throw .symbolizerTimedOut(seconds: timeout.components.seconds) }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { return }
        guard count > 0 else { throw .symbolizerExited(detail: "it exited without a response") }
        unread += buffer[..<count]
    }
}
