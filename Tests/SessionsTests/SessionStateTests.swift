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

/// A moment in seconds since noon, on a device that booted an hour before.
private func at(_ seconds: Int, wallSetBy adjustment: Int = 0, boot: String = "boot-1") -> SessionTime {
    SessionTime(
        wall: UInt64(Int64(noon) + Int64(seconds + adjustment) * Int64(second)),
        steady: UInt64(Int64(3_600 + seconds) * Int64(second)), boot: boot)
}

private func launched(
    _ names: Names, _ launch: SessionLaunch = .foreground, stored: SavedSession? = nil, at time: SessionTime = at(0),
) -> (SessionState, [SessionAction]) {
    SessionState.launch(launch, stored: stored, at: time, limits: SessionLimits(), makeID: names.next)
}

/// The session that is left behind when the app goes to the background.
private func stored(_ state: SessionState, at time: SessionTime) -> SavedSession? {
    var state = state
    return state.enterBackground(at: time).compactMap { if case .persist(let session) = $0 { session } else { nil } }
        .last
}

/// The actions in short: what ended when, in seconds since noon, and what began.
private func told(_ actions: [SessionAction]) -> [String] {
    actions.compactMap { action in
        switch action {
        case .ended(let session, let time, let summary):
            "\(session.id) ended at \((Int64(time) - Int64(noon)) / Int64(second)) after \(Int(summary.duration)) s"
        case .became(let session): "records: \(session?.id ?? "none")"
        case .started(let session, _): "\(session.id) started"
        case .resumed(let session): "\(session.id) resumed"
        case .persist: nil
        }
    }
}

/// Why the sessions began that the actions start.
private func reasons(_ actions: [SessionAction]) -> [SessionStartReason] {
    actions.compactMap { if case .started(_, let reason) = $0 { reason } else { nil } }
}

@Suite struct `The state of the session` {
    private let names = Names()

    @Test func `a first launch starts a session that has none before it`() {
        let (state, actions) = launched(names)
        #expect(state.current?.previousID == nil)
        #expect(told(actions) == ["records: session-1", "session-1 started"])
    }

    @Test func `a launch within half an hour continues the session and announces nothing`() {
        let (first, _) = launched(names)
        let (second, actions) = launched(names, stored: stored(first, at: at(0)), at: at(1_799))
        #expect(second.current?.id == "session-1")
        #expect(told(actions) == ["records: session-1"])
    }

    @Test func `a launch after half an hour ends the old session at its timeout and starts one that names it`() {
        let (first, _) = launched(names)
        let (state, actions) = launched(names, stored: stored(first, at: at(0)), at: at(9_000))
        #expect(state.current?.previousID == "session-1")
        #expect(
            told(actions) == [
                "session-1 ended at 1800 after 1800 s", "records: session-2", "session-2 started",
            ])
    }

    @Test func `activity continues the session past the first half hour`() {
        var (state, _) = launched(names)
        for minute in stride(from: 20, through: 200, by: 20) {
            #expect(told(state.activity(at: at(minute * 60), makeID: names.next)) == [])
        }
        #expect(state.current?.id == "session-1")
    }

    @Test func `a return after half an hour of inactivity begins a new session`() {
        var (state, _) = launched(names)
        _ = state.enterBackground(at: at(600))
        #expect(
            told(state.enterForeground(at: at(1_800), makeID: names.next)) == [
                "session-1 ended at 1800 after 1800 s", "records: session-2", "session-2 started",
            ])
    }

    @Test func `a return within half an hour resumes the session`() {
        var (state, _) = launched(names)
        _ = state.enterBackground(at: at(600))
        #expect(told(state.enterForeground(at: at(1_799), makeID: names.next)) == ["session-1 resumed"])
        #expect(told(state.enterForeground(at: at(1_799), makeID: names.next)) == [])
    }

    @Test func `a session that was looked at without activity ends when the app left the foreground`() {
        var (state, _) = launched(names)
        _ = state.enterBackground(at: at(5_000))
        let actions = state.enterForeground(at: at(6_000), makeID: names.next)
        #expect(told(actions).first == "session-1 ended at 5000 after 5000 s")
    }

    @Test func `four hours end even an active session`() {
        var (state, _) = launched(names)
        var actions: [SessionAction] = []
        for minute in stride(from: 7, through: 245, by: 7) {
            actions = state.activity(at: at(minute * 60), makeID: names.next)
        }
        #expect(
            told(actions) == ["session-1 ended at 14400 after 14400 s", "records: session-2", "session-2 started"])
    }

    @Test func `activity is written at most every ten seconds`() {
        var (state, _) = launched(names)
        #expect(state.activity(at: at(9), makeID: names.next).isEmpty)
        #expect(state.activity(at: at(10), makeID: names.next).count == 1)
        #expect(state.activity(at: at(11), makeID: names.next).isEmpty)
    }

    @Test func `entering the background writes the last activity`() {
        var (state, _) = launched(names)
        _ = state.activity(at: at(9), makeID: names.next)
        let left = stored(state, at: at(12))
        let (next, _) = launched(names, stored: left, at: at(9 + 1_799))
        #expect(next.current?.id == "session-1")
        let (later, _) = launched(names, stored: left, at: at(9 + 1_800))
        #expect(later.current?.id == "session-2")
    }

    @Test func `a reset ends the session immediately`() {
        var (state, _) = launched(names)
        #expect(
            told(state.reset(at: at(5), makeID: names.next)) == [
                "session-1 ended at 5 after 5 s", "records: session-2", "session-2 started",
            ])
    }

    @Test func `a start says why the session began`() {
        var (state, first) = launched(names)
        #expect(reasons(first) == [.launch])
        #expect(reasons(state.reset(at: at(10), makeID: names.next)) == [.reset])
        #expect(reasons(state.activity(at: at(1_810), makeID: names.next)) == [.inactivity])
        for minutes in stride(from: 20, through: 220, by: 20) {
            #expect(reasons(state.activity(at: at(1_810 + minutes * 60), makeID: names.next)) == [])
        }
        #expect(reasons(state.activity(at: at(1_810 + 14_400), makeID: names.next)) == [.maximumLength])
        #expect(reasons(state.check(at: at(1_810 + 14_401), makeID: names.next)) == [])
        _ = state.enterBackground(at: at(20_000))
        _ = state.check(at: at(30_000), makeID: names.next)
        #expect(state.current == nil)
        #expect(reasons(state.enterForeground(at: at(31_000), makeID: names.next)) == [.inactivity])
        let (_, later) = launched(names, stored: stored(state, at: at(31_000)), at: at(90_000))
        #expect(reasons(later) == [.launch])
    }

    @Test func `a session that begins after a launch in the background began by the launch`() {
        var (state, actions) = launched(names, .background)
        #expect(reasons(actions) == [])
        #expect(reasons(state.enterForeground(at: at(7_200), makeID: names.next)) == [.launch])
    }

    @Test func `the end says how many screens appeared, and the one that is visible counts for the next session`() {
        var (state, _) = launched(names)
        for screen in ["Home", "Home", "Cart", nil, "Home"] {
            _ = state.show(screen, at: at(1), makeID: names.next)
        }
        func screens(_ actions: [SessionAction]) -> Int? {
            if case .ended(_, _, let summary)? = actions.first { summary.screens } else { nil }
        }
        #expect(screens(state.reset(at: at(5), makeID: names.next)) == 3)
        #expect(screens(state.reset(at: at(6), makeID: names.next)) == 1)
    }
}

@Suite struct `A session and a launch in the background` {
    private let names = Names()

    @Test func `none begins until the app comes to the foreground`() {
        var (state, actions) = launched(names, .background)
        #expect(told(actions) == ["records: none"])
        #expect(told(state.show("Home", at: at(5), makeID: names.next)) == [])
        #expect(state.current == nil)
        #expect(
            told(state.enterForeground(at: at(60), makeID: names.next)) == ["records: session-1", "session-1 started"])
        #expect(state.current?.startTimeUnixNano == at(60).wall)
    }

    @Test func `the session before it ends once`() {
        let (first, _) = launched(names)
        let (_, actions) = launched(names, .background, stored: stored(first, at: at(0)), at: at(3_600))
        #expect(told(actions) == ["session-1 ended at 1800 after 1800 s", "records: none"])
        guard case .persist(let left)? = actions.dropFirst().first else {
            Issue.record("expected the end to be stored")
            return
        }
        let (state, later) = launched(names, stored: left, at: at(7_200))
        #expect(told(later) == ["records: session-2", "session-2 started"])
        #expect(state.current?.previousID == "session-1")
    }

    @Test func `within half an hour the session goes on and is not extended`() {
        let (first, _) = launched(names)
        let (state, actions) = launched(names, .background, stored: stored(first, at: at(0)), at: at(1_700))
        #expect(told(actions) == ["records: session-1"])
        var other = state
        #expect(told(other.check(at: at(1_799), makeID: names.next)) == [])
        #expect(
            told(other.check(at: at(2_000), makeID: names.next)) == [
                "session-1 ended at 1800 after 1800 s", "records: none",
            ])
        #expect(told(other.check(at: at(9_000), makeID: names.next)) == [])
    }

    @Test func `a launch that may be either starts its session with the foreground`() {
        var (state, actions) = launched(names, .unknown)
        #expect(told(actions) == ["records: session-1"])
        #expect(
            told(state.enterForeground(at: at(1), makeID: names.next)) == ["records: session-1", "session-1 started"])
        #expect(state.current?.startTimeUnixNano == at(0).wall)
    }

    @Test func `a launch that turns out to be one takes the session off the records`() {
        var (state, _) = launched(names, .unknown)
        #expect(told(state.enterBackground(at: at(1))) == ["records: none"])
        #expect(
            told(state.enterForeground(at: at(9_000), makeID: names.next))
                == ["records: session-1", "session-1 started"])
        #expect(state.current?.startTimeUnixNano == at(9_000).wall)
    }

    @Test func `a process that was launched hours before it was opened starts its session when it is opened`() {
        var (state, _) = launched(names, .unknown)
        _ = state.enterForeground(at: at(9_000), makeID: names.next)
        #expect(state.current?.startTimeUnixNano == at(9_000).wall)
    }
}

@Suite struct `The session and the clocks` {
    private let names = Names()

    @Test(arguments: [-86_400, 86_400]) func `a wall clock that is set in a session ends none`(adjustment: Int) {
        var (state, _) = launched(names)
        _ = state.enterBackground(at: at(60))
        let actions = state.enterForeground(at: at(120, wallSetBy: adjustment), makeID: names.next)
        #expect(told(actions) == ["session-1 resumed"])
    }

    @Test(arguments: [-86_400, 86_400]) func `nor one between two launches of the same boot`(adjustment: Int) {
        let (first, _) = launched(names)
        let (state, _) = launched(
            names, stored: stored(first, at: at(60)), at: at(120, wallSetBy: adjustment))
        #expect(state.current?.id == "session-1")
    }

    @Test func `an end is dated by the clock as it is set now`() {
        var (state, _) = launched(names)
        _ = state.enterBackground(at: at(60))
        let actions = state.enterForeground(at: at(3_600, wallSetBy: -86_400), makeID: names.next)
        #expect(told(actions).first == "session-1 ended at \(1_800 - 86_400) after 1800 s")
    }

    @Test func `a process that was suspended for days finds its session over`() {
        var (state, _) = launched(names)
        _ = state.enterBackground(at: at(60))
        let actions = state.enterForeground(at: at(3 * 86_400), makeID: names.next)
        #expect(told(actions).first == "session-1 ended at 1800 after 1800 s")
    }

    @Test func `after a reboot the wall clock says how much time has passed`() {
        let (first, _) = launched(names)
        let left = stored(first, at: at(60))
        var rebooted = at(900, boot: "boot-2")
        rebooted.steady = 30 * second
        #expect(launched(names, stored: left, at: rebooted).0.current?.id == "session-1")
        var late = at(9_000, boot: "boot-2")
        late.steady = 30 * second
        let (_, actions) = launched(names, stored: left, at: late)
        #expect(told(actions).first == "session-1 ended at 1800 after 1800 s")
    }

    @Test func `a session stored in the future of another boot is over, and ends at its last activity`() {
        let (first, _) = launched(names)
        let left = stored(first, at: at(0, wallSetBy: 7 * 86_400))
        var rebooted = at(600, boot: "boot-2")
        rebooted.steady = 30 * second
        let (state, actions) = launched(names, stored: left, at: rebooted)
        #expect(state.current?.id == "session-2")
        #expect(told(actions).first == "session-1 ended at \(7 * 86_400) after 0 s")
    }

    @Test func `a correction of some minutes over a reboot ends none`() {
        let (first, _) = launched(names)
        let left = stored(first, at: at(0, wallSetBy: 300))
        var rebooted = at(60, boot: "boot-2")
        rebooted.steady = 30 * second
        #expect(launched(names, stored: left, at: rebooted).0.current?.id == "session-1")
    }

    @Test(arguments: [UInt64.max, 0]) func `no stored number ends the app`(number: UInt64) throws {
        let (first, _) = launched(names)
        var left = try #require(stored(first, at: at(0)))
        (left.wall, left.steady) = (number, number)
        (left.start, left.lastActivity, left.lastInFront) = (.min, .max, .min)
        var (state, _) = launched(names, stored: left, at: at(60))
        _ = state.enterForeground(at: at(120), makeID: names.next)
        _ = state.reset(at: at(180), makeID: names.next)
        #expect(state.current != nil)
    }
}
