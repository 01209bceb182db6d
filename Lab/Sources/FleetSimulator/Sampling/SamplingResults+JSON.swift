import Foundation

extension SamplingResults {
    /// The comparison as JSON, with counts, and with bytes of the whole fleet.
    ///
    /// - Throws: An error of the encoder.
    public func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let document = Document(
            devices: devices, hours: hours, seed: seed, sessions: sessions, records: records,
            shares: parts.map { part in
                let schemes = zip(SamplingScheme.all, part.tallies).map { Document.Scheme($0, $1) }
                return Document.Share(badShare: part.badShare, schemes: schemes)
            })
        return String(decoding: try encoder.encode(document), as: UTF8.self)
    }

    private struct Document: Encodable {
        let devices: Int
        let hours: Int
        let seed: UInt64
        let sessions: Int
        let records: Int
        let shares: [Share]

        struct Share: Encodable {
            let badShare: Double
            let schemes: [Scheme]
        }

        struct Scheme: Encodable {
            let name: String
            let hasRecorder: Bool
            let bad: [String: Counts]
            let all: Counts
            let missing: [String: Int]
            let tracesSentBytes: Int
            let sentBytes: Int
            let writtenBytes: Int
            let ringBytes: Int

            init(_ scheme: SamplingScheme, _ tally: SamplingTally) {
                name = scheme.label
                hasRecorder = scheme.hasRecorder
                bad = Dictionary(uniqueKeysWithValues: tally.sessions.map { ($0.key.rawValue, Counts($0.value)) })
                all = Counts(tally.all)
                missing = Dictionary(uniqueKeysWithValues: tally.missing.map { ($0.key.rawValue, $0.value) })
                tracesSentBytes = tally.tracesSent
                sentBytes = tally.sent
                writtenBytes = tally.written
                ringBytes = tally.ringWritten
            }
        }

        struct Counts: Encodable {
            let sessions: Int
            let full: Int
            let whole: Int

            init(_ counts: SamplingTally.Sessions) {
                sessions = counts.count
                full = counts.full
                whole = counts.whole
            }
        }
    }
}
