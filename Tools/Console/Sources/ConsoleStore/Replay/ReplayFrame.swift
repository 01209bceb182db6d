import AstrolabeSemantics
import AstrolabeTelemetryModel
import ConsoleModel

/// One frame of a replay: the whole wireframe, or the changes since the previous frame.
///
/// The event is untrusted input. An invalid frame is rejected with a reason. Invalid nodes are corrected and counted in
/// ``faults``. Only the reader has all frames, so the reader checks that the nodes form a tree.
struct ReplayFrame: Sendable, Hashable {
    let recording: String
    let sequence: Int64
    let timeUnixNano: UInt64
    let isKey: Bool
    let screen: String?
    /// Width and height of the screen in points.
    let size: [Double]?
    let root: Int64?
    let nodes: [ReplayNode]
    let removed: [Int64]
    /// True if the wireframe exceeded the size limit of a frame.
    let isCut: Bool
    /// The number of nodes and values that were left out or clamped.
    let faults: Int

    /// The maximum number of nodes in a frame.
    static let nodeLimit = 1_000
    /// The maximum size of a stored frame in bytes, ten times the size of the largest frame the SDK records.
    static let byteLimit = 1 << 20

    /// The reasons to reject an event.
    enum ValidationError: Error, Sendable, Hashable, CustomStringConvertible {
        case noSession
        case noRecording
        case noSequence
        case nodesNotAList
        case noRoot
        case tooLarge(bytes: Int)

        var description: String {
            switch self {
            case .noSession: "a replay frame must have the attribute \(AttributeKey.sessionID)"
            case .noRecording: "\(AttributeKey.astrolabeReplayID) must be a string of 1 to 64 bytes"
            case .noSequence: "\(AttributeKey.astrolabeReplaySequence) must be an integer of at least 0"
            case .nodesNotAList: "\(AttributeKey.astrolabeReplayNodes) must be a list of maps"
            case .noRoot: "a key frame must have a node whose id is \(AttributeKey.astrolabeReplayRoot)"
            case .tooLarge(let bytes):
                "the replay frame has \(bytes) bytes; the limit is \(ReplayFrame.byteLimit)"
            }
        }
    }

    init(_ attributes: Attributes, timeUnixNano: UInt64) throws(ValidationError) {
        guard let recording = attributes[AttributeKey.astrolabeReplayID]?.stringValue,
            (1...64).contains(recording.utf8.count)
        else { throw .noRecording }
        guard let sequence = attributes[AttributeKey.astrolabeReplaySequence]?.intValue,
            (0...JSONText.exactLimit).contains(sequence)
        else { throw .noSequence }
        var reader = ReplayNodeReader()
        var nodes: [ReplayNode] = []
        var faults = 0
        switch attributes[AttributeKey.astrolabeReplayNodes] {
        case nil: break
        case .array(let values)?:
            var ids: Set<Int64> = []
            for value in values.prefix(Self.nodeLimit) {
                guard let node = reader.node(value) else { continue }
                if ids.insert(node.id).inserted { nodes.append(node) } else { faults += 1 }
            }
            faults += max(0, values.count - Self.nodeLimit)
        default: throw .nodesNotAList
        }
        let root = attributes[AttributeKey.astrolabeReplayRoot]?.intValue
        isKey = attributes[AttributeKey.astrolabeReplayIsKeyFrame]?.isTrue ?? false
        if isKey, !nodes.contains(where: { $0.id == root }) { throw .noRoot }
        removed = attributes[AttributeKey.astrolabeReplayRemoved].map { reader.ids($0, limit: Self.nodeLimit) } ?? []
        let sides = attributes[AttributeKey.astrolabeReplaySize]?.elements.compactMap(\.number) ?? []
        size = sides.count == 2 ? sides.map { min(max($0.rounded(), 1), 10_000) } : nil
        if isKey, size == nil || size != sides.map({ $0.rounded() }) { faults += 1 }
        self.recording = recording
        self.sequence = sequence
        self.timeUnixNano = timeUnixNano
        self.root = root.flatMap { $0.magnitude <= JSONText.exactLimit.magnitude ? $0 : nil }
        self.nodes = nodes
        screen = IndexedAttributes(attributes).screen
        isCut = attributes[AttributeKey.astrolabeReplayIsCut]?.isTrue ?? false
        self.faults = faults + reader.faults
    }

    /// The attributes that are part of the stored frame and need not be stored again.
    static let largeKeys: Set<String> = [AttributeKey.astrolabeReplayNodes, AttributeKey.astrolabeReplayRemoved]
}

extension JSONText {
    /// Appends the frame as JSON for the player.
    mutating func append(_ frame: ReplayFrame) {
        object { text in
            text.member("sequence", frame.sequence)
            text.member("timeUs", frame.timeUnixNano / 1_000)
            if frame.isKey { text.member("key", true) }
            text.member(optional: "screen", frame.screen)
            if let size = frame.size { text.member("size") { $0.array(size) { $0.append(Int64($1)) } } }
            if let root = frame.root { text.member("root", root) }
            text.member("nodes") { $0.array(frame.nodes) { $0.append($1) } }
            if !frame.removed.isEmpty { text.member("removed") { $0.array(frame.removed) { $0.append($1) } } }
            if frame.isCut { text.member("cut", true) }
            if frame.faults > 0 { text.member("faults", frame.faults) }
        }
    }
}
