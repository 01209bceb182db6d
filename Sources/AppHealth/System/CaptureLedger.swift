import AstrolabePlatform

/// A crash or hang that the SDK's own capture has reported.
struct CapturedTrouble: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        case crash(signal: Int32)
        case hang(seconds: Double)
    }

    var kind: Kind
    /// Its `app.crash.id` or `astrolabe.hang.id`.
    var id: String
    /// Nanoseconds since 1970.
    var time: UInt64
    var appBuild: String
    var session: String
    /// True if the system has reported it too.
    var isConfirmed = false
}

extension CapturedTrouble {
    /// Nanoseconds before a payload's period in which it may have happened. The system delivers a diagnostic at the
    /// next launch, and the period can be as short as that.
    private static let delay: UInt64 = 86_400_000_000_000
    /// Nanoseconds by which the system's times, which have whole seconds, may be off.
    private static let tolerance: UInt64 = 60_000_000_000

    /// Returns true if a diagnostic describes this.
    func matches(_ diagnostic: SystemDiagnostic) -> Bool {
        let (begin, end) = (diagnostic.period.lowerBound, diagnostic.period.upperBound)
        guard !isConfirmed, time <= end + Self.tolerance, time >= begin - min(begin, Self.delay) else { return false }
        if !appBuild.isEmpty, !diagnostic.appBuild.isEmpty, appBuild != diagnostic.appBuild { return false }
        switch (kind, diagnostic.kind) {
        case (.crash(let own), .crash(let signal, let exception)):
            return signal == 0 ? Self.signals(of: exception).contains(own) : signal == own
        case (.hang(let own), .hang(let seconds)):
            return abs(own - seconds) <= max(1, 0.25 * own)
        case (.crash, .hang), (.hang, .crash): return false
        }
    }

    /// The signals that a Mach exception becomes.
    private static func signals(of exception: Int32) -> [Int32] {
        switch exception {
        case 1: [10, 11]  // EXC_BAD_ACCESS: SIGBUS, SIGSEGV
        case 2: [4]  // EXC_BAD_INSTRUCTION: SIGILL
        case 3: [8]  // EXC_ARITHMETIC: SIGFPE
        case 6: [5]  // EXC_BREAKPOINT: SIGTRAP
        case 5, 10: [6]  // EXC_SOFTWARE, EXC_CRASH: SIGABRT
        default: []
        }
    }
}

/// The last 100 crashes and hangs that were reported, in a file.
///
/// The system's diagnostics come up to a day later, and often to another process.
final class CaptureLedger: Sendable {
    private static let limit = 100

    private struct State {
        /// `nil` until they are needed, so that a start does not read the file.
        var entries: [CapturedTrouble]?
        var isClosed = false
    }

    private let path: String
    /// Held during I/O on purpose: of two changes at once, the file must have both.
    private let state = Locked(State(), isHeldDuringIO: true)

    /// - Parameter directory: That of the run files.
    init(directory: String) {
        path = directory + "/reported"
    }

    private var stored: [CapturedTrouble] {
        // A file that cannot be read counts as empty.
        let bytes = (try? PrivateFile(existing: path))?.read(65_536) ?? []
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        return lines.compactMap { CapturedTrouble(line: $0) }
    }

    func add(_ trouble: CapturedTrouble) {
        update { entries in
            entries.removeAll { $0.id == trouble.id }
            entries = entries.suffix(Self.limit - 1) + [trouble]
        }
    }

    /// Takes and returns the crash or hang that a diagnostic describes, so that no other diagnostic gets it. `nil` if
    /// the SDK did not report it.
    func confirm(_ diagnostic: SystemDiagnostic) -> CapturedTrouble? {
        var found: CapturedTrouble?
        update { entries in
            let candidates = entries.indices.filter { entries[$0].matches(diagnostic) }
            let nearest = candidates.min {
                entries[$0].distance(to: diagnostic) < entries[$1].distance(to: diagnostic)
            }
            guard let index = nearest else { return }
            found = entries[index]
            entries[index].isConfirmed = true
        }
        return found
    }

    /// Writes to the folder no more.
    func close() { state.withLock { $0.isClosed = true } }

    private func update(_ change: (inout [CapturedTrouble]) -> Void) {
        state.withLock { state in
            let before = state.entries ?? stored
            var after = before
            change(&after)
            state.entries = after
            guard after != before, !state.isClosed else { return }
            // Otherwise the system's report of it counts as another one, if it comes to another process.
            try? PrivateFiles.replace(path, with: after.flatMap { Array(($0.line + "\n").utf8) })
        }
    }
}

extension CapturedTrouble {
    /// The distance between a crash or hang and the diagnostic that it matches.
    fileprivate func distance(to diagnostic: SystemDiagnostic) -> Double {
        if case (.hang(let own), .hang(let seconds)) = (kind, diagnostic.kind) { return abs(own - seconds) }
        let end = diagnostic.period.upperBound
        return Double(max(end, time) - min(end, time))
    }

    /// One line of the file.
    fileprivate var line: String {
        let (name, value) =
            switch kind {
            case .crash(let signal): ("crash", Double(signal))
            case .hang(let seconds): ("hang", seconds)
            }
        return "\(name)\t\(value)\t\(id)\t\(time)\t\(appBuild)\t\(session)\t\(isConfirmed ? 1 : 0)"
    }

    fileprivate init?(line: Substring) {
        let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard parts.count == 7, let value = Double(parts[1]), let time = UInt64(parts[3]) else { return nil }
        switch parts[0] {
        case "crash":
            guard let signal = Int32(exactly: value) else { return nil }
            kind = .crash(signal: signal)
        case "hang": kind = .hang(seconds: value)
        default: return nil
        }
        id = String(parts[2])
        self.time = time
        appBuild = String(parts[4])
        session = String(parts[5])
        isConfirmed = parts[6] == "1"
    }
}
