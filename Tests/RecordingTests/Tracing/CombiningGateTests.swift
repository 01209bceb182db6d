import AstrolabePlatform
import Testing

@testable import AstrolabeRecording

@Suite struct CombiningGateTests {
    /// A value that a gate guards: written without any other protection, so that a gate that fails loses or tears it.
    private final class Guarding: @unchecked Sendable {  // `gate` admits one thread at a time to the rest
        private let memory = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
        private let gate: CombiningGate<(thread: Int, number: Int)>
        private(set) var sum = 0
        private(set) var lastOfThread = Array(repeating: 0, count: 64)
        private(set) var outOfOrder = 0
        private var isInside = false
        private(set) var overlaps = 0

        init() {
            gate = CombiningGate(at: memory)
        }

        deinit {
            memory.deallocate()
        }

        func perform(thread: Int, number: Int) {
            if gate.enter() {
                apply((thread, number))
                if !gate.leave() { gate.performPending(apply) }
            } else {
                gate.submit((thread, number), apply)
            }
        }

        private func apply(_ operation: (thread: Int, number: Int)) {
            if isInside { overlaps += 1 }
            isInside = true
            if operation.number != lastOfThread[operation.thread] + 1 { outOfOrder += 1 }
            lastOfThread[operation.thread] = operation.number
            sum += operation.number
            isInside = false
        }
    }

    @Test(arguments: [2, 3, 8])
    func `operations are all performed, one at a time, each thread's in its order`(threads: Int) {
        let guarding = Guarding()
        let perThread = 20_000
        onThreads(threads) { thread in
            for number in 1...perThread { guarding.perform(thread: thread, number: number) }
        }
        #expect(guarding.sum == threads * perThread * (perThread + 1) / 2)
        #expect(guarding.outOfOrder == 0)
        #expect(guarding.overlaps == 0)
    }

    @Test func `an operation that finds the gate taken is performed before the gate opens`() {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
        defer { memory.deallocate() }
        let gate = CombiningGate<Int>(at: memory)
        var performed: [Int] = []

        #expect(gate.enter())
        #expect(!gate.enter())
        gate.submit(1) { performed.append($0) }
        gate.submit(2) { performed.append($0) }
        #expect(performed.isEmpty)
        #expect(!gate.leave())
        gate.performPending { performed.append($0) }
        #expect(performed == [1, 2])

        #expect(gate.enter())
        #expect(gate.leave())
        gate.submit(3) { performed.append($0) }
        #expect(performed == [1, 2, 3])
    }

    @Test func `an operation made while one is performed comes after it`() {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
        defer { memory.deallocate() }
        let gate = CombiningGate<Int>(at: memory)
        var performed: [Int] = []
        func perform(_ number: Int) {
            if number < 5 { gate.submit(number + 1, perform) }
            performed.append(number)
        }
        gate.submit(1, perform)
        #expect(performed == [1, 2, 3, 4, 5])
        #expect(gate.enter())
    }
}
