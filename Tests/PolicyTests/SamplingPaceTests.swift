import Testing

@testable import AstrolabePolicy

@Suite struct SamplingPaceTests {
    private static func sample(at second: Int, cpu: Duration = .zero, sent: Int = 0) -> ResourceSample {
        ResourceSample(time: .seconds(second), cpuTime: cpu, memoryBytes: 0, bytesSent: sent)
    }

    @Test func `an idle SDK is sampled less and less often, down to once a minute`() {
        var pace = SamplingPace()
        var (intervals, now) = ([pace.interval], 0)
        for _ in 0..<7 {
            pace.follow(Self.sample(at: now))
            now += Int(pace.interval.components.seconds)
            intervals.append(pace.interval)
        }
        #expect(intervals == [5, 5, 10, 20, 40, 60, 60, 60].map { .seconds($0) })
    }

    @Test func `work of the processor brings the short interval back`() {
        var pace = SamplingPace()
        for second in [0, 5, 15, 35] { pace.follow(Self.sample(at: second)) }
        #expect(pace.isIdle)
        pace.follow(Self.sample(at: 75, cpu: .milliseconds(100)))
        #expect(pace.interval == SamplingPace.shortest)
    }

    @Test func `what a sample or a small request costs is not work`() {
        var pace = SamplingPace()
        pace.follow(Self.sample(at: 0))
        pace.follow(Self.sample(at: 5, cpu: .milliseconds(4), sent: 2_000))
        #expect(pace.isIdle)
    }

    @Test func `two samples at one time change nothing`() {
        var pace = SamplingPace()
        for _ in 0..<2 { pace.follow(Self.sample(at: 5)) }
        #expect(pace.interval == SamplingPace.shortest)
    }
}
