import Testing

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
    func `a closed queue rejects requests`() {
        var queue = WriteQueue(limits: .init())
        queue.close()
        #expect(queue.admit(records: 1) == .rejectedClosed)
    }
}
