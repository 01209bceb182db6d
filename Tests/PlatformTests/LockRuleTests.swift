#if DEBUG
import Foundation
import Testing

@testable import AstrolabePlatform

@Suite struct `The rule of locks, in a debug build` {
    private let lock = Locked(0)

    /// The breaches on this thread while `body` runs.
    private static func breaches(_ body: () throws -> Void) rethrows -> [HeldLock.Breach] {
        let found = Locked<[HeldLock.Breach]>([])
        try HeldLock.$onBreach.withValue({ breach in found.withLock { $0.append(breach) } }, operation: body)
        return found.withLock { $0 }
    }

    @Test func `a call of the app while a lock is held names the call and the place of the lock`() throws {
        let line = UInt(#line + 1)
        let found = Self.breaches { lock.withLock { _ in LockRule.checkCall("calling the app") } }
        let place = "AstrolabePlatformTests/LockRuleTests.swift:\(line)"
        #expect(found.map(\.place) == [place])
        let text = try #require(found.first).description
        let expected = "Lock rule broken: calling the app while the lock that was taken at \(place) is held."
        #expect(text.hasPrefix(expected))
    }

    @Test func `once the lock is released, a call of the app is no breach`() {
        struct Refusal: Error {}
        let found = Self.breaches {
            lock.withLock { $0 += 1 }
            try? lock.withLock { _ throws(Refusal) in throw Refusal() }
            LockRule.checkCall("calling the app")
        }
        #expect(found == [])
    }

    @Test func `the outer one of two locks is found too`() {
        let inner = Locked((), isHeldDuringIO: true)
        let found = Self.breaches {
            lock.withLock { _ in
                inner.withLock { _ in LockRule.checkIO("opening a file") }
            }
        }
        #expect(found.map(\.door) == ["opening a file"])
    }

    @Test func `a lock that another thread holds is no breach of this one`() {
        let found = Locked<[HeldLock.Breach]?>(nil)
        lock.withLock { _ in
            let isChecked = DispatchSemaphore(value: 0)
            DedicatedThread.start(countedBy: CPUTimeMeter()) {
                let breaches = Self.breaches { LockRule.checkCall("calling the app") }
                found.withLock { $0 = breaches }
                isChecked.signal()
            }
            isChecked.wait()
        }
        #expect(found.withLock { $0 } == [])
    }

    @Test func `a file that is opened while a lock is held is found, unless the lock serializes I/O`() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("lock-rule-\(UUID())").path
        defer { PrivateFiles.removeFile(path) }
        let found = try Self.breaches { try lock.withLock { _ in try PrivateFile(path).write([1]) } }
        #expect(found.map(\.door) == ["opening a file", "writing a file"])
        let serializing = Locked((), isHeldDuringIO: true)
        let lawful = try Self.breaches { try serializing.withLock { _ in try PrivateFile(path).write([1]) } }
        #expect(lawful == [])
        let call = Self.breaches { serializing.withLock { _ in LockRule.checkCall("calling the app") } }
        #expect(call.map(\.door) == ["calling the app"])
    }
}
#endif
