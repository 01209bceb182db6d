import AstrolabeSemantics
package import ConsoleModel
import ConsoleStore

/// The replays of sessions: log records whose nodes are JSON.
extension ClickHouseStore {
    /// The largest number of frames of one part. A frame may have 1 MiB.
    private static let frameLimit = 50

    /// The columns of a frame, of which there are several if a sender sent it twice.
    private static func frames(of session: String, in statement: inout Statement) -> String {
        func text(_ key: String) -> String { "LogAttributes['\(key)']" }
        return """
            SELECT *, \(text(AttributeKey.astrolabeReplayID)) AS recording, \
            toInt64OrZero(\(text(AttributeKey.astrolabeReplaySequence))) AS sequence, \
            \(text(AttributeKey.astrolabeReplayIsKeyFrame)) = 'true' AS isKey FROM \(OTelTable.logs.rawValue) \
            WHERE EventName = '\(EventName.replay)' \
            AND \(RecordSource.session(attributes: "LogAttributes")) = \(statement.bind(session))
            """
    }

    package func replay(_ query: ReplayQuery) async throws(StoreError) -> ReplayFrameList? {
        let limit = min(max(query.limit, 1), 20_000)
        var statement = Statement()
        let frames = Self.frames(of: query.session, in: &statement)
        var condition = "true"
        if let cursor = TimeCursor(query.cursor) {
            condition = "(recording, sequence) > (\(statement.bind(cursor.id)), \(statement.bind(cursor.time)))"
        }
        statement.text = """
            SELECT recording, sequence, toUnixTimestamp64Nano(Timestamp), toUInt8(isKey) FROM (\(frames)) \
            WHERE \(condition) ORDER BY recording, sequence LIMIT 1 BY recording, sequence LIMIT \(limit + 1)
            """
        let asked = statement
        let found = try await asking {
            try await self.client.rows(asked) { reader in
                let recording = try reader.string()
                let sequence = try reader.integer(Int64.self)
                let time = UInt64(clamping: try reader.integer(Int64.self))
                return (
                    recording: recording,
                    frame: ReplayFrameList.Frame(sequence: sequence, timeUnixNano: time, isKey: try reader.bool()),
                )
            }
        }
        if found.isEmpty, query.cursor == nil, try await session(query.session) == nil { return nil }
        var recordings: [ReplayFrameList.Recording] = []
        for (recording, frame) in found.prefix(limit) {
            if recordings.last?.id != recording {
                recordings.append(ReplayFrameList.Recording(id: recording, frames: []))
            }
            recordings[recordings.count - 1].frames.append(frame)
        }
        let next = found.count > limit ? found[limit - 1] : nil
        return ReplayFrameList(
            recordings: recordings, next: next.map { TimeCursor(time: $0.frame.sequence, id: $0.recording).text },
            cursor: cursorOfNow)
    }

    package func replayFrames(
        session name: String, recording: String, from first: Int64, limit: Int,
    ) async throws(StoreError) -> ReplayFrames? {
        let limit = min(max(limit, 1), Self.frameLimit)
        var statement = Statement()
        let frames = Self.frames(of: name, in: &statement)
        statement.text = """
            SELECT \(LogTableRows.columns) FROM (\(frames)) WHERE recording = \(statement.bind(recording)) \
            AND sequence >= \(statement.bind(first)) ORDER BY sequence LIMIT 1 BY sequence LIMIT \(limit + 1)
            """
        let asked = statement
        let groups = try await asking { try await self.client.rows(asked, row: LogTableRows.group) }
        guard !groups.isEmpty else {
            return try await session(name) == nil ? nil : ReplayFrames(frames: [], next: nil)
        }
        return try await asking {
            try await ExcerptStore.reading(
                ExcerptStore.Records(logs: groups), configuration: self.configuration,
            ) { try await $0.replayFrames(session: name, recording: recording, from: first, limit: limit) }
        }
    }
}
