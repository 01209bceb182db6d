extension SamplingResults {
    /// The comparison as lines of text.
    public var table: String {
        guard let main = parts.first else { return "" }
        let tables = [sessionRows(main), byteRows(main), missingRows(main), sensitivityRows]
        return ([heading(main)] + tables.map(Self.aligned)).joined(separator: "\n\n")
    }

    private func heading(_ main: Part) -> String {
        let (phones, bad) = (NumberFormatting.count(devices), NumberFormatting.count(main.everything.all.count))
        let made = "\(NumberFormatting.count(sessions)) sessions, \(NumberFormatting.count(records)) spans and events"
        return """
            \(phones) phones, \(hours) h, seed \(seed): \(made).
            Assumption: something goes wrong in \(Self.share(main.badShare)) of the sessions, which are \(bad).
            """
    }

    /// The share of bad sessions in full, by kind.
    private func sessionRows(_ main: Part) -> [[String]] {
        let head = ["bad sessions in full"] + SamplingFault.allCases.map(\.label) + ["all", "whole session"]
        let counts = SamplingFault.allCases.map { main.everything.sessions[$0]?.count ?? 0 }
        let all = (counts + [main.everything.all.count]).map(NumberFormatting.count)
        return [head, ["count"] + all + [""]]
            + rows(of: main) { tally in
                let kinds = SamplingFault.allCases.map { tally.sessions[$0] ?? SamplingTally.Sessions() }
                return (kinds + [tally.all]).map { NumberFormatting.percent($0.full, of: $0.count) }
                    + [NumberFormatting.percent(tally.all.whole, of: tally.all.count)]
            }
    }

    /// Bytes of a phone in a day.
    private func byteRows(_ main: Part) -> [[String]] {
        let all = main.everything
        let head = ["a phone in a day", "traces sent", "of head 100 %", "all sent", "of head 100 %", "written", "ring"]
        return [head]
            + rows(of: main) { tally in
                [
                    NumberFormatting.bytes(perDay(tally.tracesSent)),
                    NumberFormatting.percent(tally.tracesSent, of: all.tracesSent),
                    NumberFormatting.bytes(perDay(tally.sent)), NumberFormatting.percent(tally.sent, of: all.sent),
                    NumberFormatting.bytes(perDay(tally.written)), NumberFormatting.bytes(perDay(tally.ringWritten)),
                ]
            }
    }

    /// Why bad sessions are not in full with the recorder alone, as shares of them all.
    private func missingRows(_ main: Part) -> [[String]] {
        let tally = main.tally(of: .recorderAlone)
        return [["not in full, recorder alone", "sessions", "of all bad"]]
            + RecordFate.allCases.compactMap { fate in
                guard let count = tally.missing[fate] else { return nil }
                return [
                    fate.label, NumberFormatting.count(count), NumberFormatting.percent(count, of: tally.all.count),
                ]
            }
    }

    /// The recorder's figures for each share of bad sessions.
    private var sensitivityRows: [[String]] {
        let schemes = SamplingScheme.all.filter(\.hasRecorder)
        let head = ["share of bad sessions"] + schemes.flatMap { [$0.label + ": in full", "traces sent"] }
        return [head]
            + parts.sorted { $0.badShare < $1.badShare }.map { part in
                [Self.share(part.badShare)]
                    + schemes.flatMap { scheme in
                        let (tally, all) = (part.tally(of: scheme), part.everything.tracesSent)
                        return [
                            NumberFormatting.percent(tally.all.full, of: tally.all.count),
                            NumberFormatting.percent(tally.tracesSent, of: all),
                        ]
                    }
            }
    }

    private func rows(of part: Part, _ cells: (SamplingTally) -> [String]) -> [[String]] {
        zip(SamplingScheme.all, part.tallies).map { [$0.label] + cells($1) }
    }

    static func share(_ share: Double) -> String {
        NumberFormatting.decimal(100 * share, 100 * share == (100 * share).rounded() ? 0 : 1) + " %"
    }

    /// The first column aligned to the left, the others to the right.
    private static func aligned(_ rows: [[String]]) -> String {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).enumerated().map { column, cell in
                let space = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 0 ? cell.0 + space : space + cell.0
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}
