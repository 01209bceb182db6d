/// How the app's process ended.
package struct AppEnd: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        /// The process exited.
        case exit
        /// A signal that the phone did not send ended the process: it crashed.
        case signal
        /// The phone killed it.
        case killed
    }

    package var kind: Kind
    /// The exit status, or the signal.
    package var code: Int
    /// A description for the user.
    package var text: String

    /// Why the phone killed the app.
    enum KillReason: Hashable, Sendable {
        /// The user asked for it.
        case requested
        /// A fault of the app, described for the user.
        case fault(String)

        fileprivate var text: String {
            switch self {
            case .requested: "The app was killed."
            case .fault(let fault): "The app was killed: \(fault)."
            }
        }
    }

    /// - Parameters:
    ///   - killReason: Why the phone sent the signal; `nil` if it did not.
    ///   - lastLines: The last lines that the app wrote.
    init(signal: Int32, killReason: KillReason?, lastLines: [String]) {
        kind = killReason == nil ? .signal : .killed
        code = Int(signal)
        text = killReason?.text ?? Self.describe(signal, lastLines)
    }

    init(status: Int32, lastLines: [String]) {
        kind = .exit
        code = Int(status)
        text =
            status == 0
            ? "The app was closed."
            : (["The app ended with status \(status)."] + lastLines.suffix(1)).joined(separator: " ")
    }

    private static func describe(_ signal: Int32, _ lastLines: [String]) -> String {
        let name = names[signal].map { "\($0.name), \($0.meaning)" } ?? "signal \(signal)"
        let reason = lastLines.last { $0.contains(fatalErrorPrefix) }.flatMap { line in
            line.firstRange(of: fatalErrorPrefix).map { String(line[$0.lowerBound...]) }
        }
        return (["The app crashed: \(name)."] + (reason.map { [$0] } ?? [])).joined(separator: " ")
    }

    /// The start of the Swift runtime's message before a trap, after the file and the line.
    private static let fatalErrorPrefix = "Fatal error"

    private static let names: [Int32: (name: String, meaning: String)] = [
        4: ("SIGILL", "illegal instruction"), 5: ("SIGTRAP", "trap"),
        6: ("SIGABRT", "aborted"), 8: ("SIGFPE", "arithmetic error"),
        9: ("SIGKILL", "killed by the system"), 11: ("SIGSEGV", "invalid memory access"),
        15: ("SIGTERM", "terminated"),
    ]
}
