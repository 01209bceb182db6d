import Foundation

/// One `llvm-symbolizer` that lives as long as questions come: it keeps the debug information it has read.
///
/// Questions go in parts that fit into a pipe, each with a time limit; an answer is one line. Not safe to use from two
/// threads.
final class SymbolizerProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let timeLimit: Duration
    private var unread: [UInt8] = []

    /// Bytes of questions under way: what every system's pipe takes without waiting.
    private static let questionLimit = 4_096
    /// Bytes of one answer.
    private static let answerLimit = 1 << 20

    init(_ tool: URL, timeLimit: Duration) throws(SymbolError) {
        self.timeLimit = timeLimit
        // A child that has died is an error of `write`, not the end of this process, too.
        _ = signal(SIGPIPE, SIG_IGN)
        process.executableURL = tool
        process.arguments = ["--output-style=JSON", "--inlining", "--functions=linkage", "--demangle"]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            throw .symbolizerEnded(detail: "\(tool.path) could not be started, \(error.localizedDescription)")
        }
        // The child alone holds these ends, so that its death is an end of file here.
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

    /// One line of answer for each question, in their order. Questions hold no line break.
    func answers(to questions: [String]) throws(SymbolError) -> [[UInt8]] {
        var answers: [[UInt8]] = []
        answers.reserveCapacity(questions.count)
        var part: [UInt8] = []
        var waiting = 0
        for question in questions {
            if !part.isEmpty, part.count + question.utf8.count >= Self.questionLimit {
                try exchange(&part, &waiting, &answers)
            }
            part += question.utf8
            part.append(UInt8(ascii: "\n"))
            waiting += 1
        }
        try exchange(&part, &waiting, &answers)
        return answers
    }

    private func exchange(_ part: inout [UInt8], _ waiting: inout Int, _ answers: inout [[UInt8]]) throws(SymbolError) {
        guard waiting > 0 else { return }
        do {
            try input.fileHandleForWriting.write(contentsOf: Data(part))
        } catch {
            throw .symbolizerEnded(detail: "it takes no questions, \(error.localizedDescription)")
        }
        let deadline = ContinuousClock.now + timeLimit
        for _ in 0..<waiting { answers.append(try line(before: deadline)) }
        part.removeAll(keepingCapacity: true)
        waiting = 0
    }

    /// The next line that is not empty.
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
            guard unread.count <= Self.answerLimit else {
                throw .symbolizerEnded(detail: "one answer has over \(Self.answerLimit) bytes")
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
        guard ready != 0 else { throw .symbolizerSilent(seconds: timeLimit.components.seconds) }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { return }
        guard count > 0 else { throw .symbolizerEnded(detail: "its output ended") }
        unread += buffer[..<count]
    }
}
