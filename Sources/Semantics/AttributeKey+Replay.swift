/// What a person saw, as wireframes; see `Docs/Replay.md`.
extension AttributeKey {
    /// One recording, from the launch of the app to its end.
    ///
    /// String, a UUID, such as `5f0c2b4e-6b1f-4c58-8f6f-0a2f5d6c7b8a`. Not in the conventions.
    public static let astrolabeReplayID = "astrolabe.replay.id"

    /// Counts the events of a recording from 0.
    ///
    /// Int, such as `17`. Not in the conventions.
    public static let astrolabeReplaySequence = "astrolabe.replay.sequence"

    /// True where all nodes are there.
    ///
    /// Bool, such as `true`. Not in the conventions.
    public static let astrolabeReplayIsKeyFrame = "astrolabe.replay.is_key_frame"

    /// Width and height of the screen in points, in key frames.
    ///
    /// Int, list, such as `[393, 852]`. Not in the conventions.
    public static let astrolabeReplaySize = "astrolabe.replay.size"

    /// The id of the outermost node.
    ///
    /// Int, such as `1`. Not in the conventions.
    public static let astrolabeReplayRoot = "astrolabe.replay.root"

    /// Nodes that are new, say something else of themselves, or have other children; all of them in a key frame.
    ///
    /// Map, list, such as `[{"id": 1, "role": "screen"}]`. Not in the conventions.
    public static let astrolabeReplayNodes = "astrolabe.replay.nodes"

    /// Ids of nodes that are gone.
    ///
    /// Int, list, such as `[12, 13]`. Not in the conventions.
    public static let astrolabeReplayRemoved = "astrolabe.replay.removed"

    /// True where the screen held more than a frame may.
    ///
    /// Bool, such as `true`. Not in the conventions.
    public static let astrolabeReplayIsCut = "astrolabe.replay.is_cut"
}
