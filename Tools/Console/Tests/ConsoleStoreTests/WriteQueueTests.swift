import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Testing

@testable import ConsoleModel
@testable import ConsoleStore

@Suite
struct WriteQueueTests {
    @Test
    func `requests that wait during a commit share the next one, up to its limit`() {
        var queue = WriteQueue(limits: .init(waitingRecords: 1_000, recordsPerCommit: 100))
        #expect(queue.admit(records: 10) == .admitted(ticket: 0))
        let first = queue.beginCommit()
        #expect(first.map(\.ticket) == [0])
        for _ in 0..<3 { _ = queue.admit(records: 40) }
        #expect(queue.beginCommit().isEmpty, "one commit at a time")
        queue.endCommit(first)
        #expect(queue.beginCommit().map(\.ticket) == [1, 2])
    }

    @Test
    func `beyond the limit a request is rejected, and accepted again when there is space`() {
        var queue = WriteQueue(limits: .init(waitingRecords: 100, recordsPerCommit: 100))
        _ = queue.admit(records: 60)
        #expect(queue.admit(records: 60) == .rejectedFull)
        let commit = queue.beginCommit()
        #expect(queue.admit(records: 60) == .rejectedFull, "records on their way to the disk still wait")
        queue.endCommit(commit)
        #expect(queue.admit(records: 60) == .admitted(ticket: 1))
    }

    @Test
    func `a request larger than the limit is accepted if the queue is empty`() {
        var queue = WriteQueue(limits: .init(waitingRecords: 100, recordsPerCommit: 10))
        #expect(queue.admit(records: 5_000) == .admitted(ticket: 0))
        #expect(queue.beginCommit().map(\.records) == [5_000])
    }

    @Test
    func `the rest of a request is admitted beyond the limit, and not if the queue is closed`() {
        var queue = WriteQueue(limits: .init(waitingRecords: 100, recordsPerCommit: 10))
        _ = queue.admit(records: 100)
        #expect(queue.admit(records: 10) == .rejectedFull)
        #expect(queue.admit(records: 10, isRest: true) == .admitted(ticket: 1))
        queue.close()
        #expect(queue.admit(records: 10, isRest: true) == .rejectedClosed)
    }

    @Test
    func `a closed queue rejects requests`() {
        var queue = WriteQueue(limits: .init())
        queue.close()
        #expect(queue.admit(records: 1) == .rejectedClosed)
    }

    @Test
    func `a small request is committed between the parts of a large one`() async throws {
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let commits = Locked<[[Int]]>([])
        let committer = GroupCommitter(
            limits: .init(waitingRecords: 100, recordsPerCommit: 10),
            commit: { parts in
                if commits.withLock({ $0.isEmpty }) {
                    begin.finish()
                    for await _ in gate {}
                }
                commits.withLock { $0.append(parts.map(\.rows.count)) }
                return CommitReport(rejections: parts.map { _ in Rejection() })
            },
            committed: { _ in })
        let large = Task { try await committer.submit(Self.batch(35)) }
        for await _ in begun {}
        let small = Task { try await committer.submit(Self.batch(1)) }
        try await eventually("the small request waits") { await committer.waitingRecords == 11 }
        open.finish()
        _ = try await small.value
        _ = try await large.value
        #expect(commits.withLock { $0 } == [[10], [1], [10], [10], [5]])
    }

    private static func batch(_ count: Int) -> PreparedBatch {
        let logs = (0..<count).map { LogRecordData(timeUnixNano: ShopFixture.at(UInt64($0))) }
        return PreparedBatch(
            logs: ShopFixture.group(ShopFixture.phone, logs), milestones: MilestoneFinder(ConversionEvents()),
            times: RecordTimes(arrival: ShopFixture.start))
    }

    @Test(arguments: [1, 2, 7])
    func `a request that is stored in parts has the sums of one that is stored at once`(_ count: Int) async throws {
        let scratches = [try Scratch(), try Scratch()]
        let limits: [StoreConfiguration.Limits] = [.init(), .init(waitingRecords: 1, recordsPerCommit: count)]
        var sums: [[Int]] = []
        for (scratch, limits) in zip(scratches, limits) {
            let store = try await scratch.store(limits: limits)
            let traces = ShopFixture.group(ShopFixture.phone, ShopFixture.phoneSpans())
            try await store.ingest(traces: traces + ShopFixture.group(ShopFixture.backend, ShopFixture.backendSpans()))
            try await store.ingest(logs: ShopFixture.group(ShopFixture.phone, ShopFixture.events()))
            try await store.ingest(metrics: ShopFixture.group(ShopFixture.phone, ShopFixture.metrics()))
            let session = try #require(try await store.session("s-1"))
            sums.append([
                session.spans, session.events, session.metricPoints, session.errors, session.crashes, session.requests,
                session.failedRequests, session.traces, try await store.statistics().received,
            ])
            await store.close()
        }
        #expect(sums[0] == sums[1])
        withExtendedLifetime(scratches) {}
    }
}
