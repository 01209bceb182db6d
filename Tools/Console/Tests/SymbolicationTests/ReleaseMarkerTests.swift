import Foundation
import Testing

@testable import Symbolication

@Suite struct `A release` {
    private typealias Key = ReleaseMarker.Key

    @Test func `is refused with the name of the fact that makes no sense`() throws {
        let wrong: [(facts: [String: String], key: String)] =
            [
                ([:], Key.version), ([Key.version: ""], Key.version),
                ([Key.version: String(repeating: "1", count: 101)], Key.version),
                ([Key.version: "1\n2"], Key.version), ([Key.version: "1", Key.service: "a\u{7f}"], Key.service),
                ([Key.version: "1", Key.commit: "123456"], Key.commit),
                ([Key.version: "1", Key.commit: "main123"], Key.commit),
                ([Key.version: "1", Key.commit: String(repeating: "a", count: 65)], Key.commit),
            ]
            + [
                "javascript:alert(1)", "http://example.com/a", "https://user:secret@example.com/a", "https://",
                "https://example.com/?a", "https://example.com/#a", "https://example.com/\"onclick=", "/a",
                "https://example.com/a b",
            ].map { ([Key.version: "1", Key.repository: $0], Key.repository) }
        for (facts, key) in wrong {
            let error = #expect(throws: ReleaseMarkerError.self, "\(facts)") { try ReleaseMarker(facts, time: 0) }
            #expect(error?.description.hasPrefix("\(key): expected") == true, "\(facts)")
        }
        let id = try #require(BuildID("0123456789abcdef"))
        #expect(throws: ReleaseMarkerError.self) {
            try ReleaseMarker([Key.version: "1"], time: 0, builds: Array(repeating: id, count: 65))
        }
        let marker = try ReleaseMarker(
            [Key.version: "2.1.0", Key.commit: "6F1D0C2", Key.repository: "https://git.example.com:8443/shop/app"],
            time: .max, builds: [id])
        #expect(marker.commit == "6f1d0c2")
        #expect(marker.time == 9_000_000_000)
    }
}

@Suite struct `The file of the releases` {
    private let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        .appendingPathComponent("releases.json").path

    private func marker(
        _ version: String, commit: String = "", time: Int64, builds: [String] = [],
    ) throws -> ReleaseMarker {
        try ReleaseMarker(
            [ReleaseMarker.Key.version: version, ReleaseMarker.Key.commit: commit], time: time,
            builds: builds.compactMap { BuildID($0) })
    }

    @Test func `adds what is new about a release, and gives a build to the latest release that names it`() async throws
    {
        let file = ReleaseMarkerFile(path: path)
        defer { try? FileManager.default.removeItem(atPath: (path as NSString).deletingLastPathComponent) }
        try await file.record(try marker("1.0", time: 100, builds: ["aaaaaaaa"]), hasTime: false)
        try await file.record(try marker("1.0", commit: "abcdef0", time: 200, builds: ["bbbbbbbb"]), hasTime: false)
        let stored = try await file.record(try marker("1.0", time: 300), hasTime: false)
        #expect(stored.time == 100)
        #expect(stored.commit == "abcdef0")
        #expect(stored.builds.map(\.hex) == ["aaaaaaaa", "bbbbbbbb"])
        #expect(try await file.record(try marker("1.0", time: 50), hasTime: true).time == 50)
        // Another commit of the same version is another release, and so is another build number.
        try await file.record(try marker("1.0", commit: "1234567", time: 400, builds: ["bbbbbbbb"]), hasTime: false)
        let all = try await ReleaseMarkerFile(path: path).markers()
        #expect(all.map(\.commit) == ["1234567", "abcdef0"])
        #expect(all.map(\.builds).map { $0.map(\.hex) } == [["bbbbbbbb"], ["aaaaaaaa"]])
    }

    @Test(arguments: [9_000, 1, 4_000_000_000] as [Int64])
    func `keeps the newest if there are too many, whatever the clock says`(time: Int64) async throws {
        let folder = (path as NSString).deletingLastPathComponent
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let many = try (0..<ReleaseMarkerFile.limit).map { try marker("1.\($0)", time: Int64(1_000 + $0)) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try JSONEncoder().encode(Array(many.reversed())).write(to: URL(fileURLWithPath: path))
        let file = ReleaseMarkerFile(path: path)
        try await file.record(try marker("2.0", time: time), hasTime: false)
        let all = try await file.markers()
        #expect(all.count == ReleaseMarkerFile.limit)
        #expect(all.map(\.version).contains("2.0"))
        #expect(all.last { $0.version != "2.0" }?.version == "1.1")
    }

    @Test func `is left as it is if it is damaged, and drops what no page may show`() async throws {
        let folder = (path as NSString).deletingLastPathComponent
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("[{".utf8).write(to: URL(fileURLWithPath: path))
        let file = ReleaseMarkerFile(path: path)
        await #expect(throws: ReleaseMarkerError.unreadable(path: path)) {
            try await file.record(try marker("1.0", time: 1), hasTime: false)
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "[{")
        var dangerous = try marker("1.0", time: 1)
        dangerous.repository = "javascript:alert(1)"
        try JSONEncoder().encode([dangerous, try marker("2.0", time: 1)]).write(to: URL(fileURLWithPath: path))
        #expect(try await file.markers().map(\.version) == ["2.0"])
    }
}
