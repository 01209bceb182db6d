package import ConsoleModel

extension SQLiteStore {
    /// The maximum size of the frames in one response in bytes, unless the first frame is larger.
    package static let replayResponseBytes = 2 << 20

    /// Returns the list of frames of a session's replay; `nil` if the session is not known.
    package func replay(_ query: ReplayQuery) async throws(StoreError) -> ReplayFrameList? {
        try await read { database in
            guard let session = try database.sessionNumber(query.session) else { return nil }
            return try database.replayCourse(session, query)
        }
    }

    /// Returns the frames of a recording starting at `first`, as many as fit into a response.
    ///
    /// Returns `nil` if the session is not known.
    ///
    /// - Parameter limit: The maximum number of frames, 1 to 1,000.
    package func replayFrames(
        session name: String, recording: String, from first: Int64 = 0, limit: Int = 200,
    ) async throws(StoreError) -> ReplayFrames? {
        let limit = min(max(limit, 1), 1_000)
        return try await read { database in
            guard let session = try database.sessionNumber(name) else { return nil }
            var frames: [String] = []
            var bytes = 0
            var next: Int64?
            try database.forEachRow(
                """
                SELECT sequence, frame FROM replays WHERE session = ? AND recording = ? AND sequence >= ?
                ORDER BY sequence LIMIT ?
                """,
                [session, recording, first, limit + 1],
            ) { row in
                let frame = row.text(1)
                bytes += frame.utf8.count
                if frames.count == limit || (!frames.isEmpty && bytes > Self.replayResponseBytes) {
                    next = row.integer(0)
                    return false
                }
                frames.append(frame)
                return true
            }
            return ReplayFrames(frames: frames, next: next)
        }
    }
}

extension QueryConnection {
    fileprivate func replayCourse(_ session: Int64, _ query: ReplayQuery) throws -> ReplayFrameList {
        let limit = min(max(query.limit, 1), 20_000)
        // The format is "sequence.recording", because a recording's id may contain any character.
        let parts = (query.cursor ?? "").split(separator: ".", maxSplits: 1)
        let after = parts.count == 2 ? Int64(parts[0]).map { (recording: String(parts[1]), sequence: $0) } : nil
        var recordings: [ReplayFrameList.Recording] = []
        var next: String?
        var count = 0
        try forEachRow(
            """
            SELECT recording, sequence, time, is_key FROM replays
            WHERE session = ? AND (recording, sequence) > (?, ?) AND seq > ?
            ORDER BY recording, sequence LIMIT ?
            """,
            [session, after?.recording ?? "", after?.sequence ?? -1, query.arrivedAfter, limit + 1],
        ) { row in
            if count == limit {
                next = recordings.last.flatMap { last in last.frames.last.map { "\($0.sequence).\(last.id)" } }
                return false
            }
            count += 1
            let id = row.text(0)
            if recordings.last?.id != id { recordings.append(ReplayFrameList.Recording(id: id, frames: [])) }
            recordings[recordings.count - 1].frames.append(
                ReplayFrameList.Frame(
                    sequence: row.integer(1), timeUnixNano: row.nanoseconds(2), isKey: row.isTrue(3),
                )
            )
            return true
        }
        return ReplayFrameList(recordings: recordings, next: next, cursor: try lastSeq())
    }
}

extension Schema {
    /// The statements that upgrade version 3 to 4: replay frames in their own table, apart from lists, counts and
    /// searches.
    ///
    /// A frame is identified by its recording and sequence, and by its uid. `frame` is the JSON for the player;
    /// `attributes` has the record's other attributes.
    static let additionsOfVersion4: [String] = [
        "ALTER TABLE resources ADD COLUMN replays INTEGER NOT NULL DEFAULT 0",
        """
        CREATE TABLE replays (
            seq INTEGER PRIMARY KEY, uid_high INTEGER NOT NULL, uid_low INTEGER NOT NULL, session INTEGER NOT NULL,
            resource INTEGER NOT NULL, scope INTEGER NOT NULL, recording TEXT NOT NULL, sequence INTEGER NOT NULL,
            is_key INTEGER NOT NULL, time INTEGER NOT NULL, frame TEXT NOT NULL, attributes TEXT)
        """,
        "CREATE UNIQUE INDEX replays_by_uid ON replays (uid_high, uid_low)",
        "CREATE UNIQUE INDEX replays_by_recording ON replays (recording, sequence)",
        "CREATE INDEX replays_by_session ON replays (session, recording, sequence, time, is_key)",
    ]
}
