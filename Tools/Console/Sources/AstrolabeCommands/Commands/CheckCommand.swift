import ArgumentParser
import Foundation
import TelemetryBoards
import TelemetryConsole
import TelemetryQuery

/// The command that evaluates alerts once, for continuous integration.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Evaluate the alerts of board files once against a running console.",
        discussion: """
            Exit codes: 0 if no alert fires, 1 if one does, 2 for a file that is not valid, 3 if the console cannot be \
            asked. It is 4 if none fires and one is unknown.

            An alert that fires after several evaluations in a row fires here at the first. Records that arrived within \
            an alert's window count when they happened, so a crash that is reported days later fires.
            """)

    @Argument(help: "Board files with alerts (YAML).")
    var files: [String]

    @OptionGroup var console: ConsoleAddress

    func run() async throws {
        var rules: [AlertRule] = []
        do {
            for file in files {
                let alerts = try BoardFiles.read(file).rules
                guard !alerts.isEmpty else {
                    throw BoardError(file: file, line: nil, message: "expected alerts or objectives, found none")
                }
                rules += alerts
            }
        } catch {
            throw Self.failed("\(error)", code: 2)
        }
        var lines = [["alert", "state", "value", "group", "happened", "threshold"]]
        var (fires, isUnknown) = (false, false)
        for rule in rules {
            let reading: AlertReading?
            do {
                reading = try await self.reading(of: rule)
            } catch let refusal as ConsoleAddress.Refusal where refusal.isIncomplete {
                isUnknown = true
                sayError("\(rule.name): \(refusal)")
                lines.append([QueryTable.printable(rule.name), "UNKNOWN", "-", "", "", rule.thresholdDescription])
                continue
            } catch let refusal as ConsoleAddress.Refusal {
                throw Self.failed("\(rule.name): \(refusal)", code: 2)
            } catch {
                throw Self.failed("\(error)", code: 3)
            }
            let isCrossed = reading.map { rule.threshold.isCrossed(by: $0.value) } ?? false
            fires = fires || isCrossed
            lines.append([
                QueryTable.printable(rule.name), isCrossed ? "FIRES" : "ok",
                reading.map { rule.quantity($0.value) ?? Self.text(of: $0.value) } ?? "-",
                reading.map { QueryTable.printable($0.group) } ?? "",
                reading?.happened.map { Timestamp.text($0 / 1_000_000_000 * 1_000_000_000) } ?? "",
                rule.thresholdDescription,
            ])
        }
        say(QueryTable.aligned(lines, isNumber: [false, false, true, false, false, false]))
        if fires { throw ExitCode(1) }
        if isUnknown { throw ExitCode(4) }
    }

    /// - Throws: ``ConsoleAddress/Refusal`` if not all records could be read.
    private func completeRows(_ question: Query) async throws -> [AlertRow] {
        let table = try await self.table(question)
        guard !table.isIncomplete else {
            throw ConsoleAddress.Refusal(message: table.warnings.joined(separator: " "), isIncomplete: true)
        }
        return table.alertRows
    }

    /// Returns the value of the present window, or of one with news, that crosses the threshold the most.
    private func reading(of rule: AlertRule) async throws -> AlertReading? {
        var present = rule.readings(of: try await completeRows(rule.presentQuestion))
        if let question = rule.confirmingQuestion {
            present = rule.confirmed(present, by: rule.readings(of: try await completeRows(question)))
        }
        let now = Int64(Date().timeIntervalSince1970 * 1e9)
        do {
            let late = try await rule.news(since: nil, at: now) { try await pastRows($0) }
            return rule.reading(of: present, late: late)
        } catch let refusal as ConsoleAddress.Refusal where !refusal.isIncomplete {
            // The store does not keep when records arrived.
            return rule.reading(of: present)
        }
    }

    /// Returns what is known of the past.
    private func pastRows(_ question: Query) async throws -> [AlertRow] {
        do {
            return try await table(question).alertRows
        } catch let refusal as ConsoleAddress.Refusal where refusal.isIncomplete {
            return []
        }
    }

    private func table(_ question: Query) async throws -> QueryTable {
        try QueryTable(json: try await console.answer(to: question))
    }

    private static func text(of value: Double) -> String {
        Int64(exactly: value).map { String($0) } ?? String(format: "%.4g", value)
    }

    private static func failed(_ message: String, code: Int32) -> ExitCode {
        sayError("astrolabe: \(message)")
        return ExitCode(code)
    }
}
