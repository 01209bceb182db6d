import Astrolabe
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Testing

@testable import AstrolabeSessionReplay

@MainActor
@Suite(.timeLimit(.minutes(5))) struct `The replay` {
    @Test func `records a key frame, then differences, as events of low priority`() async throws {
        let replay = DrivenReplay()
        replay.core.ambient.set(AttributeKey.appScreenName, to: "Catalogue")
        await replay.start()
        await replay.show("second!")
        let events = try replay.events
        try #require(events.map(\.eventName) == ["astrolabe.replay", "astrolabe.replay"])
        #expect(events.map(\.severityNumber) == [5, 5])
        #expect(replay.sink.headers.allSatisfy { $0.priority == .low && $0.kind == .event })
        #expect(events.map(\.isKeyFrame) == [true, false])
        #expect(events.map { $0.attributes[AttributeKey.astrolabeReplaySequence]?.intValue } == [0, 1])
        #expect(Set(events.map { $0.attributes[AttributeKey.astrolabeReplayID]?.stringValue }).count == 1)
        #expect(events[0].attributes[AttributeKey.astrolabeReplaySize] == [393, 852])
        #expect(events[1].attributes[AttributeKey.astrolabeReplaySize] == nil)
        #expect(events[1].attributes[AttributeKey.astrolabeReplayRoot] == 1)
        #expect(events[1].attributes["app.screen.name"] == "Catalogue")
        #expect(events[1].attributes["session.id"]?.stringValue?.hasPrefix("00112233") == true)
        #expect(
            events[1].attributes[AttributeKey.astrolabeReplayNodes]
                == [.map(["id": 2, "role": "text", "words": [7]])])
    }

    @Test func `does not read the wireframe while the revision is the same`() async throws {
        let replay = DrivenReplay()
        await replay.start()
        for _ in 0..<5 { await replay.ticks.tick() }
        #expect(replay.source.reads == 1)
        await replay.show("second")
        #expect(replay.source.reads == 2)
    }

    @Test func `compares the frames of a source without revisions`() async throws {
        let replay = DrivenReplay()
        replay.source.hideRevision()
        await replay.start()
        for _ in 0..<5 { await replay.ticks.tick() }
        #expect(replay.source.reads == 6)
        #expect(try replay.events.count == 1)
    }

    @Test func `uses the time at which the screen was read`() async throws {
        let replay = DrivenReplay()
        await replay.start()
        replay.advance(seconds: 3)
        await replay.show("second")
        let times = try replay.events.map(\.timeUnixNano)
        #expect(times[1] - times[0] == 3_000_000_000)
    }

    @Test func `follows the policy's frame rate`() async throws {
        let replay = DrivenReplay()
        await replay.start(frameRate: 4)
        await replay.ticks.tick()
        replay.recorder.apply(frameRate: 0.5, frameLimit: 240)
        await replay.ticks.tick()
        #expect(await replay.ticks.durations == [.seconds(0.25), .seconds(0.25), .seconds(2)])
        #expect(try replay.events.count == 1, "another rate is no pause")
    }

    @Test func `records at most the policy's frames per minute`() {
        #expect(ReplayRecorder.interval(frameRate: 4, frameLimit: 240) == .seconds(0.25))
        #expect(ReplayRecorder.interval(frameRate: 4, frameLimit: 100) == .seconds(0.6))
        #expect(ReplayRecorder.interval(frameRate: 0.5, frameLimit: 100) == .seconds(2))
        #expect(ReplayRecorder.interval(frameRate: 4, frameLimit: 0) == nil)
        #expect(ReplayRecorder.interval(frameRate: 0, frameLimit: 240) == nil)
    }

    @Test(arguments: [(0.0, 240), (2.0, 0)])
    func `stops and releases its frame at the policy's decision, and resumes with a key frame`(
        rate: Double, frames: Int,
    ) async throws {
        let replay = DrivenReplay()
        await replay.start()
        #expect(await replay.recorder.isHolding)
        replay.recorder.apply(frameRate: rate, frameLimit: frames)
        await replay.ticks.waitForEnd()
        try await replay.waitForRelease()
        let reads = replay.source.reads
        replay.source.show("unseen")
        #expect(replay.source.reads == reads)
        replay.recorder.apply(frameRate: 2, frameLimit: 240)
        await replay.ticks.settle()
        #expect(try replay.events.map(\.isKeyFrame) == [true, true])
        #expect(try replay.events.last?.attributes[AttributeKey.astrolabeReplaySequence] == 1)
    }

    @Test func `begins another session with a key frame although nothing changed`() async throws {
        let replay = DrivenReplay()
        await replay.start()
        replay.begin(session: "99999999-4455-6677-8899-aabbccddeeff")
        await replay.ticks.tick()
        await replay.ticks.tick()
        #expect(try replay.events.map(\.isKeyFrame) == [true, true])
        #expect(
            try replay.events.last?.attributes["session.id"] == "99999999-4455-6677-8899-aabbccddeeff")
    }

    @Test func `records only sampled sessions`() async throws {
        let sampler = SessionSampler(rate: 0, session: "00112233-4455-6677-8899-aabbccddeeff")
        let replay = DrivenReplay(sampler: sampler)
        await replay.start()
        #expect(replay.source.reads == 0)
        sampler.update(rate: 1)
        await replay.ticks.tick()
        #expect(try replay.events.map(\.isKeyFrame) == [true])
        sampler.update(rate: 0)
        await replay.show("unseen")
        try await replay.waitForRelease()
        #expect(replay.source.reads == 1)
        sampler.update(rate: 1)
        await replay.ticks.tick()
        #expect(try replay.events.map(\.isKeyFrame) == [true, true])
    }

    @Test func `records nothing if a sampler drops everything`() async throws {
        let replay = DrivenReplay(sampler: AlwaysOffSampler())
        await replay.start()
        #expect(replay.source.reads == 0)
    }

    @Test func `is sampled by session even if a sampler decides by trace`() async throws {
        let core = RecordingCore(sink: MemorySink(), sampler: ParentBasedSampler(root: RatioSampler(0.5)))
        let ids = IDGenerator(firstSeed: 1, secondSeed: 2)
        let sessions = (0..<1_000).map { _ in ids.nextUUID() }
        let sampled = sessions.filter { core.samples(session: $0) }
        #expect((400...600).contains(sampled.count))
        #expect(sampled == sessions.filter { core.samples(session: $0) })
    }

    @Test func `waits for a screen`() async throws {
        let replay = DrivenReplay()
        replay.source.isEmpty = true
        await replay.start()
        #expect(try replay.events.isEmpty)
        replay.source.isEmpty = false
        await replay.ticks.tick()
        #expect(try replay.events.map(\.isKeyFrame) == [true])
    }

    @Test func `reads a new source as soon as it is attached, beginning with a key frame`() async throws {
        let replay = DrivenReplay()
        await replay.start()
        let other = DrivenSource()
        replay.recorder.attach(other)
        while other.reads == 0 { await replay.ticks.tick() }
        #expect(try replay.events.map(\.isKeyFrame) == [true, true])
        #expect(replay.source.reads == 1)
    }

    @Test func `ends permanently when it is stopped, and releases its source`() async throws {
        let replay = DrivenReplay()
        await replay.start()
        weak var source: DrivenSource?
        do {
            let other = DrivenSource()
            source = other
            replay.recorder.attach(other)
        }
        replay.recorder.stop()
        await replay.ticks.waitForEnd()
        try await replay.waitForRelease()
        replay.recorder.apply(frameRate: 4, frameLimit: 240)
        try await eventually("the source is released") { source == nil }
        #expect(try replay.events.count <= 2)
    }

    @Test func `costs nothing if it is disabled`() async throws {
        let replay = DrivenReplay { $0.isEnabled = false }
        replay.recorder.attach(replay.source)
        replay.recorder.apply(frameRate: 4, frameLimit: 240)
        #expect(!replay.recorder.isEnabled && !replay.recorder.hasSource)
        #expect(await replay.ticks.durations.isEmpty)
    }
}
