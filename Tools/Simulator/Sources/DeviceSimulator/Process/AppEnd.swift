/// How the app's process came to its end.
package struct AppEnd: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        /// It ended by itself.
        case exit
        /// A signal that nobody here sent: it crashed.
        case signal
        /// The phone killed it.
        case killed
    }

    package var kind: Kind
    /// The exit status, or the signal.
    package var code: Int
    /// What happened, for a person.
    package var text: String

    /// Why the phone killed the app.
    enum Sentence: Hashable, Sendable {
        /// A person wanted it.
        case asked
        /// What the app did, for a person.
        case fault(String)

        fileprivate var text: String {
            switch self {
            case .asked: "The app was killed."
            case .fault(let fault): "The app was killed: \(fault)."
            }
        }
    }

    /// - Parameters:
    ///   - sentence: Why the phone sent the signal; nil where it did not.
    ///   - lastWords: The last lines that the app wrote to standard error.
    init(signal: Int32, sentence: Sentence?, lastWords: [String]) {
        kind = sentence == nil ? .signal : .killed
        code = Int(signal)
        text = sentence?.text ?? Self.describe(signal, lastWords)
    }

    init(status: Int32, lastWords: [String]) {
        kind = .exit
        code = Int(status)
        text =
            status == 0
            ? "The app was closed."
            : (["The app ended with status \(status)."] + lastWords.suffix(1)).joined(separator: " ")
    }

    private static func describe(_ signal: Int32, _ lastWords: [String]) -> String {
        let name = names[signal].map { "\($0.name), \($0.meaning)" } ?? "signal \(signal)"
        let reason = lastWords.last { $0.contains(runtimesWords) }.flatMap { line in
            line.firstRange(of: runtimesWords).map { String(line[$0.lowerBound...]) }
        }
        return (["The app crashed: \(name)."] + (reason.map { [$0] } ?? [])).joined(separator: " ")
    }

    /// What Swift's runtime says before it traps, after the file and the line.
    private static let runtimesWords = "Fatal error"

    private static let names: [Int32: (name: String, meaning: String)] = [
        4: ("SIGILL", "an instruction that the processor does not know"), 5: ("SIGTRAP", "a trap"),
        6: ("SIGABRT", "it gave up"), 8: ("SIGFPE", "an impossible calculation"),
        9: ("SIGKILL", "killed by the system"), 11: ("SIGSEGV", "memory that is not its own"),
        15: ("SIGTERM", "asked to end"),
    ]
}
