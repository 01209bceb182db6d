import ArgumentParser
import AstrolabePlatform
import Foundation
import ShopHistory

/// The command that fills a running console with the sessions of a fleet that does not exist.
struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Send two days of synthetic sessions to a running console.",
        discussion: """
            The sessions end now. One of the three app versions has a defect to be found: Docs/Guide/Demo.md. Every \
            record has the resource attribute astrolabe.synthetic. The same seed gives the same fleet.
            """)

    @OptionGroup var history: HistoryOptions

    @Option(help: "The number of sessions.")
    var sessions = HistorySettings.defaultSessions

    @OptionGroup var address: ConsoleAddress

    func validate() throws {
        try HistoryOptions.check(sessions, name: "--sessions")
    }

    func run() async throws {
        guard let url = URL(string: address.console) else { return }
        try await UntilStopped.run(isSupervised: false) {
            try await UserFacingErrors.run { try await history.send(sessions, to: url) }
        }
    }
}

/// The options that the `history` and `demo` commands share.
struct HistoryOptions: ParsableArguments {
    @Option(help: "The seed of the synthetic sessions.")
    var historySeed: UInt64 = 7

    static func check(_ sessions: Int, name: String) throws {
        guard (1...1_000_000).contains(sessions) else {
            throw ValidationError("\(name): expected 1 to 1000000 sessions, found \(sessions)")
        }
    }

    /// Sends the sessions and says how many there were. A long history shows its progress on standard error.
    ///
    /// - Parameter headers: The headers of each request, with the key if the console requires one.
    func send(_ sessions: Int, to console: URL, headers: [String: String] = ConsoleKey.headers) async throws {
        var settings = HistorySettings(end: UInt64(Date().timeIntervalSince1970 * 1e9))
        settings.sessions = sessions
        settings.seed = historySeed
        let start = Date()
        let step = max(1_000, sessions / 20)
        var shown = 0
        let sent = try await HistorySender(settings: settings, console: console, headers: headers).send { sent in
            guard sent.sessions - shown >= step else { return }
            shown = sent.sessions
            sayError("\(sent.sessions) of \(sessions) sessions, \(sent.records) records")
        }
        let seconds = String(format: "%.1f", Date().timeIntervalSince(start))
        say("Sent \(sent.sessions) synthetic sessions of the last two days: \(sent.records) records in \(seconds) s.")
    }
}
