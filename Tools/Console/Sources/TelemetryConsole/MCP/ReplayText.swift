import ConsoleModel
import Foundation
import HTTPTypes

/// The replay of a session as text: what changed on the screen and when.
///
///     +3.2 s  ProductList
///       text "Starsense Explorer Refractor Telescope"
///       button "Add to cart"
enum ReplayText {
    /// The frames of one part. Most have a few words.
    private static let framesOfPart = 200

    private struct Frame: Decodable {
        let sequence: Int64
        let timeUs: UInt64
        let screen: String?
        let nodes: [Node]

        struct Node: Decodable {
            let role: String
            let text: String?
            let name: String?
        }
    }

    /// - Parameters:
    ///   - first: The first frame, counted over all recordings of the session.
    ///   - limit: The size in bytes at which a part ends, unless it has one frame only, which is cut.
    static func make(
        session: String, from first: Int64, limit: Int, store: any TelemetryStore,
    ) async throws -> String {
        guard let list = try await store.replay(ReplayQuery(session: session)) else {
            throw APIFailure(.notFound, "session \(session.prefix(100)) not found")
        }
        let start = list.recordings.flatMap(\.frames).map(\.timeUnixNano).min() ?? 0
        var part = Part(first: max(0, Int(clamping: first)), limit: limit - 100)
        var skipped = part.next
        for recording in list.recordings {
            guard skipped < recording.frames.count else {
                skipped -= recording.frames.count
                continue
            }
            guard part.left > 0 else { return part.text(hasMore: true) }
            let read = try await store.replayFrames(
                session: session, recording: recording.id, from: recording.frames[skipped].sequence, limit: part.left)
            for json in read?.frames ?? [] {
                let frame = try? JSONDecoder().decode(Frame.self, from: Data(json.utf8))
                let isTaken = part.add(frame.map { Self.lines($0, start: start / 1_000) } ?? [])
                guard isTaken else { return part.text(hasMore: true) }
            }
            if skipped + (read?.frames.count ?? 0) < recording.frames.count { return part.text(hasMore: true) }
            skipped = 0
        }
        return part.text(hasMore: false)
    }

    /// The lines of one part, and the frame that is the next.
    private struct Part {
        let limit: Int
        private(set) var next: Int
        private(set) var left = ReplayText.framesOfPart
        private var lines: [String] = []
        private var size = 0

        init(first: Int, limit: Int) {
            next = first
            self.limit = limit
        }

        /// Adds the lines of a frame; `false` if there is no room for them.
        mutating func add(_ new: [String]) -> Bool {
            let added = new.reduce(0) { $0 + $1.utf8.count + 1 }
            guard lines.isEmpty || size + added <= limit else { return false }
            lines += new
            size += added
            next += 1
            left -= 1
            return true
        }

        func text(hasMore: Bool) -> String {
            var text = lines.joined(separator: "\n")
            if text.utf8.count > limit {
                text = String(decoding: text.utf8.prefix(limit - 20), as: UTF8.self) + "… (cut)"
            }
            if hasMore { return (text.isEmpty ? "" : text + "\n") + "next: \(next)" }
            return text.isEmpty ? "This session has no replay." : text
        }
    }

    private static func lines(_ frame: Frame, start: UInt64) -> [String] {
        let words = frame.nodes.compactMap { node in
            (node.text ?? node.name).map { "  \(node.role) \"\($0)\"" }
        }
        guard !words.isEmpty else { return [] }
        let seconds = Double(frame.timeUs - min(start, frame.timeUs)) / 1e6
        return ["+\(String(format: "%.1f", seconds)) s  \(frame.screen ?? "")"] + words
    }
}
