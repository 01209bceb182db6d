import AstrolabeTelemetryModel
import Foundation
import GRDB
import Testing

@testable import ConsoleModel
@testable import ConsoleStore

@Suite
struct ReplayTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    private static func sequences(_ course: ReplayFrameList?) -> [String: [Int64]] {
        Dictionary(uniqueKeysWithValues: (course?.recordings ?? []).map { ($0.id, $0.frames.map(\.sequence)) })
    }

    @Test
    func `frames are returned in recording order, whatever the order of arrival`() async throws {
        try await scratch.withStore { store in
            for sequence in [3, 0, 2, 1] as [Int64] {
                try await store.ingest(logs: ReplayFixture.group([ReplayFixture.event(sequence)]))
            }
            let other = ReplayFixture.event(0, recording: "r-2", after: 20)
            let strange = ReplayFixture.event(7, session: "s-2")
            try await store.ingest(logs: ReplayFixture.group([other, strange]))
            let course = try await store.replay(ReplayQuery(session: "s-1"))
            #expect(Self.sequences(course) == ["r-1": [0, 1, 2, 3], "r-2": [0]])
            #expect(course?.recordings[0].frames.map(\.isKey) == [true, false, false, false])
            #expect(course?.recordings[0].frames[3].timeUnixNano == ShopFixture.at(3_000))
            let frames = try await store.replayFrames(session: "s-1", recording: "r-1", from: 1)
            #expect(frames?.frames.compactMap { JSONText.attributes(in: $0)?["sequence"] } == [1, 2, 3])
            #expect(frames?.next == nil)
            #expect(try await store.replay(ReplayQuery(session: "s-9")) == nil)
            #expect(try await store.replayFrames(session: "s-9", recording: "r-1") == nil)
        }
    }

    @Test
    func `a frame is deduplicated by its sequence and by its uid`() async throws {
        try await scratch.withStore { store in
            let first = ReplayFixture.event(0)
            let marked = ReplayFixture.event(1, ["log.record.uid": "u-1"])
            let sameUID = ReplayFixture.event(2, ["log.record.uid": "u-1"])
            let samePlace = ReplayFixture.event(0, nodes: [ReplayFixture.node(2, "image")])
            for _ in 0..<2 {
                try await store.ingest(logs: ReplayFixture.group([first, marked, sameUID, samePlace, first]))
            }
            #expect(Self.sequences(try await store.replay(ReplayQuery(session: "s-1"))) == ["r-1": [0, 1]])
            #expect(try await store.statistics().received == 2)
        }
    }

    @Test
    func `frames do not appear in lists, counts and searches, but extend their session`() async throws {
        try await scratch.withStore { store in
            try await store.ingest(logs: ShopFixture.group(ShopFixture.phone, ShopFixture.events()))
            try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, ShopFixture.phoneSpans()))
            let before = try #require(try await store.session("s-1"))
            let trace = try #require(try await store.traces().elements.first)
            var frames = (0..<50).map { ReplayFixture.event($0, after: 100 + UInt64($0)) }
            for index in frames.indices { frames[index].traceID = trace.id }
            try await store.ingest(logs: ReplayFixture.group(frames))
            let session = try #require(try await store.session("s-1"))
            #expect(!before.hasReplay)
            #expect(session.hasReplay)
            #expect(session.events == before.events)
            let recordsBefore = before.activity.map(\.records).reduce(0, +)
            #expect(session.activity.map(\.records).reduce(0, +) == recordsBefore)
            #expect(session.lastSeenUnixNano == ShopFixture.at(149_000))
            #expect(session.screens.contains("Cart"))
            let timeline = try #require(try await store.timeline(TimelineQuery(session: "s-1")))
            #expect(timeline.items.count == 3 + 5)
            #expect(try await store.trace(trace.id)?.events.count == trace.events)
            #expect(try await store.services().map(\.logs).reduce(0, +) == 3)
            #expect(try await store.sessions(SessionQuery(text: "astrolabe.replay")).elements.isEmpty)
            #expect(try await store.statistics().received == 50 + 3 + 5)
        }
    }

    @Test
    func `frames are returned as records only by their event name`() async throws {
        try await scratch.withStore { store in
            try await store.ingest(logs: ShopFixture.group(ShopFixture.phone, ShopFixture.events()))
            try await store.ingest(logs: ReplayFixture.group((0..<5).map { ReplayFixture.event($0) }))
            var query = TimelineQuery(session: "s-1", limit: 2)
            query.eventName = "astrolabe.replay"
            var events: [EventRecord] = []
            repeat {
                let page = try #require(try await store.timeline(query))
                events += page.items.compactMap { if case .event(let event) = $0 { event } else { nil } }
                #expect(page.origins.values.allSatisfy { $0.service == "astronomy-shop" })
                query.cursor = page.next
            } while query.cursor != nil
            #expect(events.map { $0.attributes["astrolabe.replay.sequence"] } == [0, 1, 2, 3, 4])
            #expect(events.filter { $0.attributes["astrolabe.replay.is_key_frame"] == .bool(true) }.count == 1)
            #expect(
                events.allSatisfy { $0.name == "astrolabe.replay" && $0.attributes["astrolabe.replay.nodes"] == nil })
            query.eventName = "app.crash"
            #expect(try await store.timeline(query)?.items.count == 1)
        }
    }

    @Test
    func `a response respects the limit and says where to continue`() async throws {
        try await scratch.withStore { store in
            // A frame has about 400 kB, so five frames fill a response.
            let nodes = (10..<1_000).map {
                ReplayFixture.node($0, "text", ["text": String(repeating: "x", count: 390)])
            }
            try await store.ingest(
                logs: ReplayFixture.group((0..<8).map { ReplayFixture.event($0, key: true, nodes: nodes) }))
            let large = try #require(try await store.replayFrames(session: "s-1", recording: "r-1"))
            #expect(large.frames.reduce(0) { $0 + $1.utf8.count } <= SQLiteStore.replayResponseBytes)
            #expect((2...6).contains(large.frames.count))
            #expect(large.next == Int64(large.frames.count))
            let two = try await store.replayFrames(session: "s-1", recording: "r-1", from: 3, limit: 2)
            #expect(two?.frames.count == 2)
            #expect(two?.next == 5)
            var query = ReplayQuery(session: "s-1")
            query.limit = 3
            var sequences: [Int64] = []
            repeat {
                let course = try #require(try await store.replay(query))
                sequences += course.recordings.flatMap(\.frames).map(\.sequence)
                query.cursor = course.next
            } while query.cursor != nil
            #expect(sequences == Array(0..<8))
        }
    }

    @Test
    func `new frames are returned separately`() async throws {
        try await scratch.withStore { store in
            try await store.ingest(logs: ReplayFixture.group([ReplayFixture.event(0), ReplayFixture.event(2)]))
            var query = ReplayQuery(session: "s-1")
            query.arrivedAfter = try #require(try await store.replay(query)).cursor
            try await store.ingest(logs: ReplayFixture.group([ReplayFixture.event(1), ReplayFixture.event(2)]))
            #expect(Self.sequences(try await store.replay(query)) == ["r-1": [1]])
        }
    }

    @Test
    func `retention removes frames by age and by size, and their session with them`() async throws {
        let clock = HandClock(seconds: 1_800_000_000)
        let store = try await scratch.store(retention: .init(age: .seconds(3_600)), now: { clock.now })
        try await store.ingest(logs: ReplayFixture.group((0..<5).map { ReplayFixture.event($0) }))
        clock.advance(hours: 2)
        try await store.ingest(logs: ReplayFixture.group([ReplayFixture.event(5, session: "s-2")]))
        #expect(try await store.applyRetention().expiredRecords == 5)
        #expect(try await store.session("s-1") == nil)
        #expect(Self.sequences(try await store.replay(ReplayQuery(session: "s-2"))) == ["r-1": [5]])
        await store.close()

        let room = try Scratch()
        let small = try await room.store(retention: .init(bytes: 1 << 20))
        let ballast = (10..<400).map {
            ReplayFixture.node($0, "text", ["text": String(repeating: "x", count: 99)])
        }
        for sequence in 0..<60 as Range<Int64> {
            let event = ReplayFixture.event(sequence, session: "s-\(sequence)", key: true, nodes: ballast)
            try await small.ingest(logs: ReplayFixture.group([event]))
        }
        #expect(try await small.applyRetention().evictedRecords > 20)
        #expect(try await small.statistics().bytes <= 1 << 20)
        #expect(try await small.session("s-59")?.hasReplay == true)
        await small.close()
    }

    @Test
    func `a reopened store continues its sequence after frames, and a file of version 3 is upgraded`()
        async throws
    {
        _ = try await scratch.withStore { store in
            try await store.ingest(logs: ShopFixture.group(ShopFixture.phone, ShopFixture.events()))
        }
        let queue = try DatabaseQueue(path: scratch.path)
        try await queue.write { database in
            try database.execute(
                sql: "DROP TABLE replays; ALTER TABLE resources DROP COLUMN replays; PRAGMA user_version = 3")
            try StoreFileTests.dropAdditionsSinceVersion5(database)
        }
        try queue.close()
        let cursor = try await scratch.withStore { store in
            try await store.ingest(logs: ReplayFixture.group([ReplayFixture.event(0)]))
            #expect(try await store.session("s-1")?.events == 3)
            return try await store.statistics().cursor
        }
        try await scratch.withStore { store in
            try await store.ingest(logs: ReplayFixture.group([ReplayFixture.event(1)]))
            #expect(try await store.statistics().cursor > cursor)
            #expect(Self.sequences(try await store.replay(ReplayQuery(session: "s-1"))) == ["r-1": [0, 1]])
        }
    }
}
