import ConsoleModel

/// The clock by which records grow old, so that a clock which is set to another time deletes nothing.
///
/// While a console runs, ages grow with the monotonic clock. The time between two runs is known from the wall clock
/// alone. That clock may be wrong at a start: a machine without a battery for its clock, a resumed virtual machine.
///
/// The clocks are in doubt if more than an hour lies between two runs, if the wall clock stands before the last run, or
/// if it jumps meanwhile. Nothing is removed by age then. The doubt ends when the wall clock has gone steadily for ten
/// minutes and devices agree with it. Only then is the time between the runs added to the ages of what arrived before.
/// If no records arrive, the doubt ends after a day, and that time counts as nothing, because only the wall clock knows
/// of it.
struct AgeClock: Sendable {
    /// Both clocks of the machine, in nanoseconds.
    struct Reading: Sendable {
        /// Time since 1970, which users and the network may set.
        var wall: UInt64
        /// Monotonic time from any start.
        var elapsed: UInt64
    }

    /// The state that the file keeps between two runs. Times are nanoseconds.
    struct State: Sendable, Hashable {
        /// The time of this clock. It began with the wall clock's time.
        var age: UInt64
        /// The time of this clock when the clocks agreed last.
        var agreedAge: UInt64
        /// The newest time of the wall clock of all times when the clocks agreed.
        var agreedWall: UInt64
        /// The last sequence number before the time between two runs came into doubt; `nil` without that doubt.
        var doubtedAfter: Int64?
    }

    /// The longest time between two runs that is believed at once.
    private static let pause: Int64 = 3_600_000_000_000
    /// The longest step of the wall clock that counts as none.
    private static let step: Int64 = 60_000_000_000
    private static let steadyTime: UInt64 = 600_000_000_000
    private static let steadyTimeAlone: UInt64 = 86_400_000_000_000

    private(set) var state: State
    private var last: Reading
    private var steadySince: UInt64
    /// When it was last seen that records arrived.
    private var quietSince: UInt64
    private var hasStepped = false

    /// - Parameters:
    ///   - saved: The state of the last run; `nil` for a new file.
    ///   - lastSeq: The last sequence number of the file.
    init(_ saved: State?, at reading: Reading, lastSeq: Int64) {
        last = reading
        steadySince = reading.elapsed
        quietSince = reading.elapsed
        state = saved ?? State(age: reading.wall, agreedAge: reading.wall, agreedWall: reading.wall)
        guard state.doubtedAfter == nil else { return }
        let passed = difference
        if abs(passed) > Self.pause {
            state.doubtedAfter = lastSeq
        } else {
            state.age += UInt64(max(passed, 0))
            agree()
        }
    }

    /// True while the clocks are in doubt, so that nothing may be removed by age.
    var isInDoubt: Bool { hasStepped || state.doubtedAfter != nil }

    /// The wall clock's lead over the time that is expected, in nanoseconds; negative if it is behind.
    var difference: Int64 {
        let expected = Int64(clamping: state.agreedWall) + Int64(clamping: state.age - state.agreedAge)
        return Int64(clamping: last.wall) - expected
    }

    /// Takes the next reading of both clocks.
    mutating func advance(to reading: Reading) {
        let passed = reading.elapsed > last.elapsed ? reading.elapsed - last.elapsed : 0
        state.age += passed
        let moved = Int64(clamping: reading.wall) - Int64(clamping: last.wall)
        if abs(moved - Int64(clamping: passed)) > Self.step {
            steadySince = reading.elapsed
            hasStepped = true
        }
        last = reading
        if !isInDoubt { agree() }
    }

    /// Ends the doubt if there is reason enough.
    ///
    /// - Parameter devicesAgree: Whether records that arrived lately have about the time of the wall clock; `nil` if
    ///   none arrived.
    /// - Returns: The nanoseconds to add to the arrival times after `state.doubtedAfter`, as it was before; 0 without.
    mutating func settle(devicesAgree: Bool?) -> UInt64 {
        if devicesAgree != nil { quietSince = last.elapsed }
        let (since, needed) =
            devicesAgree == nil
            ? (max(steadySince, quietSince), Self.steadyTimeAlone) : (steadySince, Self.steadyTime)
        guard isInDoubt, devicesAgree != false, last.elapsed.clampedDifference(since) >= needed else { return 0 }
        let isWitnessed = state.doubtedAfter != nil && devicesAgree == true
        let pause = isWitnessed ? UInt64(max(difference, 0)) : 0
        state.age += pause
        state.doubtedAfter = nil
        hasStepped = false
        agree()
        return pause
    }

    private mutating func agree() {
        state.agreedAge = state.age
        state.agreedWall = max(state.agreedWall, last.wall)
    }
}

extension StoreConfiguration {
    var reading: AgeClock.Reading { AgeClock.Reading(wall: now(), elapsed: elapsed()) }
}
