import ConsoleStore
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

    /// - Parameter first: The first frame, counted over all recordings of the session.
    static func make(session: String, from first: Int64, store: any TelemetryStore) async throws -> String {
        guard let list = try await store.replay(ReplayQuery(session: session)) else {
            throw APIFailure(.notFound, "session \(session.prefix(100)) not found")
        }
        let start = list.recordings.flatMap(\.frames).map(\.timeUnixNano).min() ?? 0
        var lines: [String] = []
        var skipped = max(0, Int(first))
        var left = framesOfPart
        for recording in list.recordings {
            let frames = recording.frames
            guard skipped < frames.count else {
                skipped -= frames.count
                continue
            }
            guard left > 0 else {
                lines.append("next: \(Int(first) + framesOfPart)")
                return lines.joined(separator: "\n")
            }
            let part = try await store.replayFrames(
                session: session, recording: recording.id, from: frames[skipped].sequence, limit: left, )
            for json in part?.frames ?? [] {
                guard let frame = try? JSONDecoder().decode(Frame.self, from: Data(json.utf8)) else { continue }
                lines += Self.lines(frame, start: start / 1_000)
            }
            let read = part?.frames.count ?? 0
            left -= read
            if skipped + read < frames.count {
                lines.append("next: \(Int(first) + framesOfPart - left)")
                return lines.joined(separator: "\n")
            }
            skipped = 0
        }
        return lines.isEmpty ? "This session has no replay." : lines.joined(separator: "\n")
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
