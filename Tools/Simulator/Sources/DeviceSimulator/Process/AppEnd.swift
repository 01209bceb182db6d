/// The end of the app's process.
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
    /// The facts that a title such as "The app crashed" leaves open: the Swift runtime's message, the signal, the
    /// fault; empty if there is nothing to add.
    package var detail: String

    /// Why the phone killed the app.
    enum KillReason: Hashable, Sendable {
        /// The user asked for it.
        case requested
        /// A fault of the app, described for the user.
        case fault(String)
    }

    /// - Parameters:
    ///   - killReason: Why the phone sent the signal; `nil` if it did not.
    ///   - lastLines: The last lines that the app wrote.
    init(signal: Int32, killReason: KillReason?, lastLines: [String]) {
        kind = killReason == nil ? .signal : .killed
        code = Int(signal)
        switch killReason {
        case nil:
            let name = Self.names[signal].map { "\($0.name), \($0.meaning)" } ?? "signal \(signal)"
            let reason = Self.reason(in: lastLines)
            detail = reason ?? name
            text = (["The app crashed: \(name)."] + (reason.map { [$0] } ?? [])).joined(separator: " ")
        case .requested:
            detail = ""
            text = "The app was killed."
        case .fault(let fault):
            detail = fault
            text = "The app was killed: \(fault)."
        }
    }

    init(status: Int32, lastLines: [String]) {
        kind = .exit
        code = Int(status)
        detail = status == 0 ? "" : lastLines.last ?? ""
        text =
            status == 0
            ? "The app was closed."
            : (["The app ended with status \(status)."] + lastLines.suffix(1)).joined(separator: " ")
    }

    /// The advice about an app that does not use the link.
    static let linkAdvice =
        "Expected an app that imports SwiftUI from the product SwiftUIForLinux and starts with App.main()"

    /// The same end of an app that has not said hello. An exit then means that the app ignores the link.
    var withoutHello: AppEnd {
        guard kind == .exit else { return self }
        var end = self
        let last = detail.isEmpty ? "" : " \(detail)."
        end.text = "The app ended with status \(code), without hello over the link.\(last) \(Self.linkAdvice)."
        if code == 0 { end.detail = "It ended without hello over the link." }
        return end
    }

    /// The Swift runtime's message, without the file and the line before it.
    private static func reason(in lines: [String]) -> String? {
        lines.last(where: isFatalError).flatMap { line in
            line.firstRange(of: fatalErrorPrefix).map { String(line[$0.lowerBound...]) }
        }
    }

    /// Returns true if a line of output is the Swift runtime's message.
    static func isFatalError(_ line: String) -> Bool { line.contains(fatalErrorPrefix) }

    /// The start of the Swift runtime's message before a trap, after the file and the line.
    private static let fatalErrorPrefix = "Fatal error"

    private static let names: [Int32: (name: String, meaning: String)] = [
        4: ("SIGILL", "illegal instruction"), 5: ("SIGTRAP", "trap"),
        6: ("SIGABRT", "aborted"), 8: ("SIGFPE", "arithmetic error"),
        9: ("SIGKILL", "killed by the system"), 11: ("SIGSEGV", "invalid memory access"),
        15: ("SIGTERM", "terminated"),
    ]
}
