import AstrolabeTelemetryModel
import BrowserKit
import ConsoleModel
import Foundation
import Testing

@testable import TelemetryConsole

/// The stored records are those that were sent, and only the owner may read them.
@Suite
struct FidelityTests {
    @Test
    func `ids that differ only after NUL are different sessions`() async throws {
        try await ConsoleInProcess.run { console in
            let ids = ["s", "s\u{0}a", "s\u{0}b"]
            for (index, id) in ids.enumerated() {
                let event = OTLPBody.Event(
                    name: "tap\u{0}\(index)", time: UInt64(index + 1) * 1_000,
                    attributes: [("session.id", .string(id))])
                try await console.send(
                    OTLPBody.logs([("service.name", .string("shop\u{0}\(index)"))], [event]), to: .logs)
            }
            let list = try await console.get("/api/v1/sessions")["sessions"].elements.compactMap { $0["id"].text }
            #expect(Set(list) == Set(ids))
            for (index, id) in ["s", "s%00a", "s%00b"].enumerated() {
                let timeline = try await console.get("/api/v1/sessions/\(id)/timeline")
                #expect(timeline["items"].elements.map { $0["name"].text } == ["tap\u{0}\(index)"])
                #expect(timeline["origins"][0]["service"].text == "shop\u{0}\(index)")
            }
        }
    }

    @Test
    func `maps nest as deep as lists`() async throws {
        try await ConsoleInProcess.run { console in
            func nested(_ depth: Int) -> JSON { depth == 0 ? "core" : ["k": nested(depth - 1)] }
            let event = OTLPBody.Event(
                name: "e", time: 1_000, attributes: [("session.id", "s"), ("deep", nested(31))])
            try await console.send(OTLPBody.logs([], [event]), to: .logs)
            var value = try await console.get("/api/v1/sessions/s/timeline")["items"][0]["attributes"]["deep"]
            for _ in 0..<31 { value = value["k"] }
            #expect(value.text == "core")
            let record = try #require(try await console.store.timeline(TimelineQuery(session: "s"))?.items.first)
            guard case .event(let stored) = record else { return }
            var member = stored.attributes["deep"]
            for _ in 0..<31 { member = member?.members?["k"] }
            #expect(member == "core")
        }
    }

    @Test
    func `metrics are read page by page, with as many series and points as asked for`() async throws {
        try await ConsoleInProcess.run { console in
            let names = ["a", "b", "c\u{0}\"", "d"]
            for name in names {
                let points = (0..<20).flatMap { series in
                    (0..<70).map { ([("series", JSON.integer(series))], UInt64($0), Double($0)) }
                }
                try await console.send(
                    OTLPBody.metric([], name: name, unit: "s", isCounter: false, start: 1_000, points: points),
                    to: .metrics)
            }
            var read: [String] = []
            var cursor = ""
            for _ in 0..<2 {
                let page = try await console.get("/api/v1/metrics?limit=2&series=15&points=65&cursor=\(cursor)")
                read += page["metrics"].elements.compactMap { $0["name"].text }
                #expect(page["metrics"][0]["series"].elements.count == 15)
                #expect(page["metrics"][0]["series"][0]["points"].elements.count == 65)
                cursor = (page["next"].text ?? "").addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            }
            #expect(read == names)
            #expect(cursor.isEmpty)
        }
    }

    @Test
    func `only the owner may read the database, also one that others could read`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let configuration = ConsoleUnderTest.configuration(in: folder)
        let path = configuration.store.path
        for _ in 0..<2 {
            try await ConsoleInProcess.run(configuration) { _ in
                for file in [path, path + "-wal", path + "-shm"] {
                    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
                    #expect(mode == 0o600, "\(file)")
                }
            }
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        }
    }
}
