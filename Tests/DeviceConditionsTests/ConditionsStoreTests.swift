import AstrolabePlatform
import AstrolabeTestSupport
import Testing

@testable import AstrolabeDeviceConditions

struct ConditionsStoreTests {
    private let store = ConditionsStore(Conditions(network: .wifi, lifecycle: .active))

    @Test func `an update that changes nothing notifies nobody`() {
        let seen = Locked<[ConditionsChange]>([])
        let observation = store.observe { change in seen.withLock { $0.append(change) } }
        store.apply(ConditionsUpdate(network: .wifi))
        store.apply(ConditionsUpdate())
        #expect(seen.withLock { $0.isEmpty })
        store.apply(ConditionsUpdate(network: .offline))
        #expect(seen.withLock { $0.map(\.current.network) } == [.offline])
        observation.cancel()
    }

    @Test func `a handler receives every lifecycle step`() {
        let seen = Locked<[LifecycleTransition?]>([])
        let observation = store.observe { change in seen.withLock { $0.append(change.lifecycle) } }
        #expect(store.apply(ConditionsUpdate(lifecycle: .background)))
        #expect(seen.withLock { $0 } == LifecycleState.active.steps(to: .background))
        observation.cancel()
    }

    @Test func `an unreachable lifecycle state is rejected and the rest is applied`() {
        store.apply(ConditionsUpdate(lifecycle: .terminated))
        #expect(!store.apply(ConditionsUpdate(network: .offline, lifecycle: .active)))
        #expect(store.current == Conditions(network: .offline, lifecycle: .terminated))
    }

    @Test func `a cancelled or released handler is not called again`() {
        let count = Locked(0)
        let cancelled = store.observe { _ in count.withLock { $0 += 1 } }
        var released: ConditionsObservation? = store.observe { _ in count.withLock { $0 += 1 } }
        store.apply(ConditionsUpdate(thermal: .fair))
        #expect(count.withLock { $0 } == 2)
        cancelled.cancel()
        released = nil
        #expect(released == nil)
        store.apply(ConditionsUpdate(thermal: .serious))
        #expect(count.withLock { $0 } == 2)
    }

    @Test func `a handler may apply updates, and all handlers see them in order`() {
        let seen = Locked<[Conditions]>([])
        let first = store.observe { [store] change in
            if change.current.thermal == .serious { store.apply(ConditionsUpdate(memory: .warning)) }
        }
        let second = store.observe { change in seen.withLock { $0.append(change.current) } }
        store.apply(ConditionsUpdate(thermal: .serious))
        #expect(seen.withLock { $0.map(\.thermal) } == [.serious, .serious])
        #expect(seen.withLock { $0.map(\.memory) } == [.normal, .warning])
        first.cancel()
        second.cancel()
    }

    @Test func `changes from many threads reach a handler one at a time and in sequence`() async throws {
        let seen = Locked<[ConditionsChange]>([])
        let observation = store.observe { change in seen.withLock { $0.append(change) } }
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask { [store] in
                    for step in 0..<200 {
                        store.apply(ConditionsUpdate(power: Power(level: Double(task * 200 + step) / 2000)))
                    }
                }
            }
        }
        // An applying thread may return while another one still delivers.
        try await eventually("the last state is delivered") { seen.withLock { $0.last?.current } == store.current }
        let changes = seen.withLock { $0 }
        for (earlier, later) in zip(changes, changes.dropFirst()) { #expect(earlier.current == later.previous) }
        #expect(changes.first?.previous.power == .unknown)
        observation.cancel()
    }

    @Test func `a slow handler receives merged changes and the last state`() {
        let seen = Locked<[ConditionsChange]>([])
        let observation = store.observe { [store] change in
            let isFirst = seen.withLock { seen in
                seen.append(change)
                return seen.count == 1
            }
            guard isFirst else { return }
            for percent in 1...100 { store.apply(ConditionsUpdate(power: Power(level: Double(percent) / 100))) }
        }
        store.apply(ConditionsUpdate(thermal: .fair))
        let changes = seen.withLock { $0 }
        #expect(changes.count == 65)
        #expect(changes.last?.current.power.level == 1)
        for (earlier, later) in zip(changes, changes.dropFirst()) { #expect(earlier.current == later.previous) }
        observation.cancel()
    }

    @Test func `a sequence starts with the current state and skips to the newest`() async {
        var changes = store.changes().makeAsyncIterator()
        #expect(await changes.next() == store.current)
        store.apply(ConditionsUpdate(thermal: .fair))
        store.apply(ConditionsUpdate(thermal: .serious))
        #expect(await changes.next()?.thermal == .serious)
    }

    @Test func `a sequence never repeats an element`() async {
        var changes = store.changes().makeAsyncIterator()
        let first = await changes.next()
        store.apply(ConditionsUpdate(network: .offline))
        store.apply(ConditionsUpdate(network: .wifi))
        store.finish()
        #expect(first?.network == .wifi)
        #expect(await changes.next() == nil)
    }
}
