/// An event of the session replay; `Docs/Internals/ReplayEvents.md` has the keys of its nodes.
extension AttributeKey {
    /// The recording: one for each launch.
    ///
    /// String, a UUID, such as `5f0c2b4e-6b1f-4c58-8f6f-0a2f5d6c7b8a`. Not in the conventions.
    package static let astrolabeReplayID = "astrolabe.replay.id"

    /// Counts the events of a recording from 0.
    ///
    /// Int, such as `12`. Not in the conventions.
    package static let astrolabeReplaySequence = "astrolabe.replay.sequence"

    /// True if the event has all nodes of the screen; absent if it has only what changed.
    ///
    /// Bool, such as `true`. Not in the conventions.
    package static let astrolabeReplayIsKeyFrame = "astrolabe.replay.is_key_frame"

    /// Width and height of the screen; in key frames.
    ///
    /// Int, list of points, such as `[393, 852]`. Not in the conventions.
    package static let astrolabeReplaySize = "astrolabe.replay.size"

    /// The id of the outermost node.
    ///
    /// Int, such as `1`. Not in the conventions.
    package static let astrolabeReplayRoot = "astrolabe.replay.root"

    /// Nodes that are new or say something else, or all of them.
    ///
    /// Map, list, such as `[{"id": 1, "role": "screen", "children": [2]}]`. Not in the conventions.
    package static let astrolabeReplayNodes = "astrolabe.replay.nodes"

    /// Ids of nodes that are gone; absent if there are none.
    ///
    /// Int, list, such as `[7, 8]`. Not in the conventions.
    package static let astrolabeReplayRemoved = "astrolabe.replay.removed"

    /// True if the screen held more than is recorded of one; absent otherwise.
    ///
    /// Bool, such as `true`. Not in the conventions.
    package static let astrolabeReplayIsCut = "astrolabe.replay.is_cut"
}
