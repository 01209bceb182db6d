/// The list of frames of a session's replay, without their content.
package struct ReplayFrameList: Sendable, Hashable {
    /// The recordings, ordered by id. A page may end within a recording; the next page continues it.
    package let recordings: [Recording]
    package let next: String?
    /// The sequence number up to which the list is current.
    package let cursor: Int64

    package struct Recording: Sendable, Hashable {
        package let id: String
        /// The frames, ordered by sequence.
        package var frames: [Frame]

        package init(id: String, frames: [Frame]) {
            self.id = id
            self.frames = frames
        }
    }

    package struct Frame: Sendable, Hashable {
        package let sequence: Int64
        package let timeUnixNano: UInt64
        package let isKey: Bool

        package init(sequence: Int64, timeUnixNano: UInt64, isKey: Bool) {
            self.sequence = sequence
            self.timeUnixNano = timeUnixNano
            self.isKey = isKey
        }
    }

    package init(recordings: [Recording], next: String?, cursor: Int64) {
        self.recordings = recordings
        self.next = next
        self.cursor = cursor
    }
}

package struct ReplayQuery: Sendable, Hashable {
    /// The value of `session.id`.
    package var session: String
    /// The `next` value of the previous page.
    package var cursor: String?
    /// Only frames that arrived after this sequence number.
    package var arrivedAfter: Int64 = 0
    /// The page size, 1 to 20,000.
    package var limit = 20_000

    package init(session: String) {
        self.session = session
    }
}

/// Consecutive frames of one recording as JSON.
package struct ReplayFrames: Sendable, Hashable {
    package let frames: [String]
    /// The sequence of the next part's first frame; `nil` at the end of the recording.
    package let next: Int64?

    package init(frames: [String], next: Int64?) {
        self.frames = frames
        self.next = next
    }
}
