import AstrolabePlatform
import ConsoleModel
import GRDB

extension SQLiteStore {
    /// Advances the clock of ages, ends its doubt if there is reason enough, and keeps it in the file.
    ///
    /// - Returns: The clock's time in nanoseconds; and while the clocks are in doubt, the wall clock's lead over the
    ///   expected time.
    func updateAge() async throws(StoreError) -> (age: UInt64, doubt: Int64?) {
        try await maintain { [ages, configuration] database in
            // Read here, because transactions read the clocks too and none may go back.
            let reading = configuration.reading
            let clock = ages.withLock { clock in
                clock.advance(to: reading)
                return clock
            }
            guard clock.isInDoubt else {
                try database.save(clock.state, unlessSince: 600_000_000_000)
                return (clock.state.age, nil)
            }
            let agree = try QueryConnection(database).devicesAgree(with: reading.wall, age: clock.state.age)
            var settled = clock
            let pause = settled.settle(devicesAgree: agree)
            try database.inTransaction(.immediate) {
                try database.addToAges(pause, after: clock.state.doubtedAfter ?? .max)
                try database.save(settled.state, unlessSince: 0)
                return .commit
            }
            ages.withLock { $0 = settled }
            return (settled.state.age, settled.isInDoubt ? settled.difference : nil)
        }
    }

    /// Keeps the clock of ages in the file.
    func saveAge() async throws(StoreError) {
        try await maintain { [ages, configuration] database in
            let reading = configuration.reading
            let clock = ages.withLock { clock in
                clock.advance(to: reading)
                return clock
            }
            try database.save(clock.state, unlessSince: 0)
        }
    }
}

extension QueryConnection {
    /// Returns the clock of ages as the file has it.
    ///
    /// A file of an earlier version has only the minutes of arrivals.
    func ageClock(at reading: AgeClock.Reading) throws -> AgeClock {
        let newest = try integer("SELECT max(age) FROM arrivals").map { UInt64(clamping: $0) * 60_000_000_000 }
        var state = try ageState() ?? newest.map { AgeClock.State(age: $0, agreedAge: $0, agreedWall: $0) }
        if let newest, let age = state?.age, age < newest { state?.age = newest }
        return AgeClock(state, at: reading, lastSeq: try lastSeq())
    }

    private func ageState() throws -> AgeClock.State? {
        guard let age = try fact("age"), let agreedAge = try fact("agreed_age"), let wall = try fact("agreed_wall")
        else { return nil }
        return AgeClock.State(
            age: UInt64(clamping: max(age, agreedAge)), agreedAge: UInt64(clamping: agreedAge),
            agreedWall: UInt64(clamping: wall), doubtedAfter: try fact("doubted_after"))
    }

    /// Returns whether a tenth of the records of the last ten minutes, at least, has about the time of the wall clock;
    /// `nil` if none arrived. Records without a time of their own, which have that of their arrival, do not count.
    fileprivate func devicesAgree(with wall: UInt64, age: UInt64) throws -> Bool? {
        let minute = Int64(age / 60_000_000_000) - 10
        let first = try integer("SELECT max(last_seq) FROM arrivals WHERE age < ?", [minute]) ?? 0
        var (count, agreeing) = (Int64(0), Int64(0))
        for (table, time, isOwn) in [
            ("spans", "start + duration", #"more IS NULL OR more NOT LIKE '{"sentStart"%'"#),
            ("logs", "ifnull(sent, time)", "sent IS NOT 0"), ("points", "time", "1"),
        ] {
            let row = try firstRow(
                """
                SELECT count(*), sum(abs(time - ?) < 3600000000000) FROM (
                    SELECT \(time) AS time FROM \(table) WHERE seq > ? AND (\(isOwn)) ORDER BY seq DESC LIMIT 1000)
                """,
                [Int64(clamping: wall), first],
            )
            count += row?.integer(0) ?? 0
            agreeing += row?.integer(1) ?? 0
        }
        return count == 0 ? nil : agreeing * 10 >= count
    }
}

extension Database {
    /// Adds nanoseconds to the arrival times of records.
    fileprivate func addToAges(_ nanoseconds: UInt64, after seq: Int64) throws {
        guard nanoseconds > 0 else { return }
        try execute(
            sql: "UPDATE arrivals SET age = age + ? WHERE last_seq > ?",
            arguments: [Int64(nanoseconds / 60_000_000_000), seq])
    }

    /// Writes the state to the file, unless the file has one that is no older than a number of nanoseconds.
    fileprivate func save(_ state: AgeClock.State, unlessSince nanoseconds: UInt64) throws {
        let saved = UInt64(clamping: try QueryConnection(self).fact("age") ?? 0)
        guard saved == 0 || state.age >= saved &+ nanoseconds else { return }
        let facts = [("age", state.age), ("agreed_age", state.agreedAge), ("agreed_wall", state.agreedWall)]
        for (name, value) in facts {
            try execute(
                sql: "INSERT OR REPLACE INTO facts VALUES (?, ?)", arguments: [name, Int64(clamping: value)])
        }
        if let seq = state.doubtedAfter {
            try execute(sql: "INSERT OR REPLACE INTO facts VALUES ('doubted_after', ?)", arguments: [seq])
        } else {
            try execute(sql: "DELETE FROM facts WHERE name = 'doubted_after'")
        }
    }
}
