import AstrolabeSemantics
import AstrolabeTelemetryModel

/// One event of a replay: the whole wireframe, or how it differs from the one before.
///
/// Made from an event that anybody may have sent. What cannot be a frame is refused with the reason; what is wrong
/// with single nodes is corrected and counted in ``faults``. That the nodes of several frames make up one tree is for
/// the reader to see: he alone knows them all.
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
    /// True where the wireframe held more than a frame may.
    let isCut: Bool
    /// Nodes and values that were left out or brought within their bounds.
    let faults: Int

    /// Nodes that a frame holds at most.
    static let nodeLimit = 1_000
    /// Bytes that a stored frame has at most; the largest that a recorder makes has a tenth of them.
    static let byteLimit = 1 << 20

    /// Why an event is no frame.
    enum Refusal: Error, Sendable, Hashable, CustomStringConvertible {
        case noSession
        case noRecording
        case noSequence
        case nodesAreNoList
        case noRoot
        case tooLarge(bytes: Int)

        var description: String {
            switch self {
            case .noSession: "a frame of a replay needs \(AttributeKey.sessionID), to be shown with its session"
            case .noRecording: "\(AttributeKey.astrolabeReplayID) is a string of 1 to 64 bytes"
            case .noSequence: "\(AttributeKey.astrolabeReplaySequence) is an integer from 0"
            case .nodesAreNoList: "\(AttributeKey.astrolabeReplayNodes) is a list of maps"
            case .noRoot: "a key frame has a node whose id is \(AttributeKey.astrolabeReplayRoot)"
            case .tooLarge(let bytes):
                "a frame of a replay has at most \(ReplayFrame.byteLimit) bytes, this has \(bytes)"
            }
        }
    }

    init(_ attributes: Attributes, timeUnixNano: UInt64) throws(Refusal) {
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
        default: throw .nodesAreNoList
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

    /// Keys whose values stand in the frame itself, and need not be kept beside it.
    static let largeKeys: Set<String> = [AttributeKey.astrolabeReplayNodes, AttributeKey.astrolabeReplayRemoved]
}

extension JSONText {
    /// Appends the frame as a player reads it.
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
