import Testing

@testable import AstrolabeSessions

private let second: UInt64 = 1_000_000_000
private let noon: UInt64 = 1_800_000_000 * second

/// Returns `session-1`, `session-2` and so on.
private final class Names {
    private var count = 0
    func next() -> String {
        count += 1
        return "session-\(count)"
    }
}

private func launched(
    _ names: Names, stored: SessionSnapshot? = nil, at time: UInt64 = noon,
) -> (SessionState, [SessionAction]) {
    SessionState.launch(stored: stored, at: time, limits: SessionLimits(), makeID: names.next)
}

@Suite struct `The state of the session` {
    @Test func `a first launch starts a session that has none before it`() {
        let (state, actions) = launched(Names())
        #expect(state.current.id == "session-1")
        #expect(state.current.previousID == nil)
        #expect(actions == [.persist(state.current), .started(state.current)])
    }

    @Test func `a launch within half an hour continues the session and announces nothing`() {
        let names = Names()
        let (first, _) = launched(names)
        let (second, actions) = launched(names, stored: first.current, at: noon + 1_799 * second)
        #expect(second.current.id == "session-1")
        #expect(actions.isEmpty)
    }

    @Test func `a launch after half an hour ends the old session at its timeout and starts one that names it`() {
        let names = Names()
        let (first, _) = launched(names)
        let (state, actions) = launched(names, stored: first.current, at: noon + 9_000 * second)
        #expect(state.current.previousID == "session-1")
        #expect(actions.first == .ended(first.current, timeUnixNano: noon + 1_800 * second))
        #expect(actions.last == .started(state.current))
    }

    @Test func `activity continues the session past the first half hour`() {
        let names = Names()
        var (state, _) = launched(names)
        for minute in stride(from: 20, through: 200, by: 20) {
            let actions = state.activity(at: noon + UInt64(minute) * 60 * second, makeID: names.next)
            #expect(actions == [.persist(state.current)])
        }
        #expect(state.current.id == "session-1")
    }

    @Test func `activity after half an hour of inactivity begins a new session`() {
        let names = Names()
        var (state, _) = launched(names)
        let old = state.current
        let actions = state.activity(at: noon + 1_800 * second, makeID: names.next)
        #expect(
            actions == [
                .ended(old, timeUnixNano: noon + 1_800 * second), .persist(state.current), .started(state.current),
            ])
        #expect(state.current.previousID == old.id)
    }

    @Test func `four hours end even an active session`() {
        let names = Names()
        var (state, _) = launched(names)
        var actions: [SessionAction] = []
        for minute in 1...240 { actions = state.activity(at: noon + UInt64(minute) * 60 * second, makeID: names.next) }
        #expect(state.current.id == "session-2")
        #expect(
            actions.first.map { if case .ended(_, let time) = $0 { time == noon + 14_400 * second } else { false } }
                == true)
    }

    @Test func `activity is written at most every ten seconds`() {
        let names = Names()
        var (state, _) = launched(names)
        #expect(state.activity(at: noon + 9 * second, makeID: names.next).isEmpty)
        #expect(state.activity(at: noon + 10 * second, makeID: names.next).count == 1)
        #expect(state.activity(at: noon + 11 * second, makeID: names.next).isEmpty)
    }

    @Test func `a reset ends the session immediately`() {
        let names = Names()
        var (state, _) = launched(names)
        let old = state.current
        let actions = state.reset(at: noon + 5 * second, makeID: names.next)
        #expect(actions.first == .ended(old, timeUnixNano: noon + 5 * second))
        #expect(state.current.previousID == old.id)
    }

    @Test func `a clock that was set back ends no session`() {
        let names = Names()
        var (state, _) = launched(names)
        #expect(state.activity(at: noon - 86_400 * second, makeID: names.next).isEmpty)
        #expect(state.current.id == "session-1")
    }
}
