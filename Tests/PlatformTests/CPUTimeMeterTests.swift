import Dispatch
import Testing

@testable import AstrolabePlatform

@Suite(.timeLimit(.minutes(1)))
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
        DedicatedThread.start(countedBy: account) {
            Self.burn(100)
            hasBurnt.signal()
            mayGoOn.wait()
            Self.burn(100)
            hasEnded.signal()
        }
        hasBurnt.wait()
        let midway = account.total
        #expect(midway >= .milliseconds(100))
        #expect(midway < .milliseconds(150))
        mayGoOn.signal()
        hasEnded.wait()
        let atEnd = account.total
        #expect(atEnd >= .milliseconds(200))
        #expect(atEnd < .milliseconds(300))
    }

    @Test func `measured work counts on any thread, and other work does not`() async {
        Self.burn(50)
        #expect(account.total == .zero)
        let result = account.measure {
            Self.burn(50)
            return "done"
        }
        Self.burn(50)
        #expect(result == "done")
        #expect(account.total >= .milliseconds(50))
        #expect(account.total < .milliseconds(90))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { [account] in account.measure { Self.burn(25) } } }
        }
        #expect(account.total >= .milliseconds(150))
        #expect(account.total < .milliseconds(230))
    }

    @Test func `nested work is counted once`() {
        account.measure { account.measure { Self.burn(40) } }
        #expect(account.total >= .milliseconds(40))
        #expect(account.total < .milliseconds(70))
        let other = CPUTimeMeter()
        other.countThread { other.measure { Self.burn(40) } }
        #expect(other.total >= .milliseconds(40))
        #expect(other.total < .milliseconds(70))
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
        #expect(account.total < .milliseconds(20))
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
        let isDone = Locked(0)
        let threads = 200
        for _ in 0..<4 {
            DispatchQueue.global().async { [account] in
                for _ in 0..<threads / 4 {
                    DedicatedThread.start(countedBy: account) {
                        Self.burn(1)
                        isDone.withLock { $0 += 1 }
                    }
                }
            }
        }
        var last = Duration.zero
        while isDone.withLock({ $0 }) < threads {
            let total = account.total
            #expect(total >= last)
            last = total
        }
        #expect(account.total >= .milliseconds(threads))
    }
}
