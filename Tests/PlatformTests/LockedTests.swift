import AstrolabePlatform
import Foundation
import Testing

@Suite struct LockedTests {
    private struct Refusal: Error, Equatable {}

    @Test func `changes by many threads are all applied`() {
        let count = Locked(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<5_000 { count.withLock { $0 += 1 } }
        }
        #expect(count.withLock { $0 } == 40_000)
    }

    @Test func `an error releases the lock and keeps the changes`() {
        let value = Locked(1)
        #expect(throws: Refusal()) {
            try value.withLock { value throws(Refusal) in
                value = 2
                throw Refusal()
            }
        }
        #expect(value.withLock { $0 } == 2)
    }

    @Test func `the value is released with the lock`() {
        final class Held {}
        weak var released: Held?
        do {
            let held = Held()
            released = held
            let box = Locked<Held?>(held)
            box.withLock { $0 = nil }
            _ = Locked(held)
        }
        #expect(released == nil)
    }
}
