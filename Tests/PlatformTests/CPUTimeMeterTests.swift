import Dispatch
import Testing

@testable import AstrolabePlatform

@Suite(.timeLimit(.minutes(5)))
struct CPUTimeMeterTests {
    private let account = CPUTimeMeter()

    /// Uses this much CPU time on the calling thread, however busy the machine is.
    private static func burn(_ milliseconds: UInt64) {
        let end = ThreadCPUClock.ofCurrentThread + milliseconds * 1_000_000
        var junk: UInt64 = 1
        while ThreadCPUClock.ofCurrentThread < end {
            for step in 0..<1000 { junk = junk &* 6_364_136_223_846_793_005 &+ UInt64(step) }
        }
        #expect(junk != 0)
    }

    @Test func `a thread of the SDK is counted while it runs and after it has ended`() {
        let hasBurnt = DispatchSemaphore(value: 0)
        let mayGoOn = DispatchSemaphore(value: 0)
        let hasEnded = DispatchSemaphore(value: 0)
        // By the thread's own clock: before the pause, after it, and at the end.
        let times = Locked<[UInt64]>([])
        DedicatedThread.start(countedBy: account) {
            Self.burn(50)
            times.withLock { $0.append(ThreadCPUClock.ofCurrentThread) }
            hasBurnt.signal()
            mayGoOn.wait()
            times.withLock { $0.append(ThreadCPUClock.ofCurrentThread) }
            Self.burn(50)
            times.withLock { $0.append(ThreadCPUClock.ofCurrentThread) }
            hasEnded.signal()
        }
        hasBurnt.wait()
        let midway = account.total
        mayGoOn.signal()
        hasEnded.wait()
        let atEnd = account.total
        let clock = times.withLock { $0.map { Duration.nanoseconds(Int64($0)) } }
        // The thread had used a little before its work was counted.
        #expect(midway >= .milliseconds(50))
        #expect(midway <= clock[1])
        #expect(atEnd >= .milliseconds(100))
        #expect(atEnd < clock[2] * 2, "it is counted once")
    }

    /// The CPU time that the calling thread uses for the work, by its own clock.
    private static func spent(_ work: () -> Void) -> Duration {
        let start = ThreadCPUClock.ofCurrentThread
        work()
        return .nanoseconds(Int64(ThreadCPUClock.ofCurrentThread - start))
    }

    @Test func `measured work counts on any thread, and other work does not`() async {
        Self.burn(20)
        #expect(account.total == .zero)
        var result = ""
        let first = Self.spent {
            result = account.measure {
                Self.burn(20)
                return "done"
            }
        }
        Self.burn(20)
        #expect(result == "done")
        #expect(account.total >= .milliseconds(20))
        #expect(account.total <= first)
        let all = await withTaskGroup(of: Duration.self) { group in
            for _ in 0..<4 { group.addTask { [account] in Self.spent { account.measure { Self.burn(10) } } } }
            return await group.reduce(first) { $0 + $1 }
        }
        #expect(account.total >= .milliseconds(60))
        #expect(account.total <= all)
    }

    @Test func `nested work is counted once`() {
        let nested = Self.spent { account.measure { account.measure { Self.burn(20) } } }
        #expect(account.total >= .milliseconds(20))
        #expect(account.total <= nested)
        let other = CPUTimeMeter()
        let counted = Self.spent { other.countThread { other.measure { Self.burn(20) } } }
        #expect(other.total >= .milliseconds(20))
        #expect(other.total <= counted)
    }

    @Test func `throwing work is counted`() {
        #expect(throws: CancellationError.self) {
            try account.measure {
                Self.burn(10)
                throw CancellationError()
            }
        }
        #expect(account.total >= .milliseconds(10))
        account.measure { Self.burn(10) }
        #expect(account.total >= .milliseconds(20))
    }

    @Test func `waiting uses no CPU time`() {
        let isOver = DispatchSemaphore(value: 0)
        account.measure {
            DispatchQueue.global().async {
                Self.burn(50)
                isOver.signal()
            }
            isOver.wait()
        }
        #expect(account.total < .milliseconds(50))
    }

    @Test func `charged time is added, and never subtracted`() {
        account.charge(.nanoseconds(300) * 1_000_000)
        #expect(account.total == .milliseconds(300))
        account.charge(.milliseconds(-5))
        #expect(account.total == .milliseconds(300))
        account.charge(.seconds(Int64.max))
        #expect(account.total == .milliseconds(3_600_300))
    }

    @Test func `the total never decreases while threads come and go`() {
        let threads = 60
        let group = DispatchGroup()
        for _ in 0..<threads { group.enter() }
        for _ in 0..<4 {
            DispatchQueue.global().async { [account] in
                for _ in 0..<threads / 4 {
                    DedicatedThread.start(countedBy: account) {
                        Self.burn(1)
                        group.leave()
                    }
                }
            }
        }
        var totals: [Duration] = []
        for _ in 0..<5_000 { totals.append(account.total) }
        group.wait()
        totals.append(account.total)
        #expect(totals == totals.sorted())
        #expect(account.total >= .milliseconds(threads))
    }
}
