import DeviceLink
import Testing

@testable import DeviceSimulator

@Suite struct `An account of an app's records` {
    private let witnesses = NotedRecord.read(
        """
        begun 1 span 12.0 normal
        begun 2 event 12.0 normal
        made 2 event 12.0 normal
        made 1 span 12.0 normal
        begun 3 span 24.0 minimal
        made 3 span 24.0 minimal
        begun 4 critical 24.5 minimal
        made 4 critical 24.5 minimal
        begun 5 event 36.0 minimal
        begun 6 ev
        """)

    private func account(_ shown: [UInt64: Int], _ arrivals: [CollectorGate.Arrival] = []) -> Account {
        Account(witnesses, shown: shown, arrivals: arrivals)
    }

    @Test func `is good if each record is shown once, and its mode has left out the rest`() {
        let account = account([1: 1, 2: 1, 4: 1])
        #expect(account.isGood)
        #expect(account.delivered == 3)
        #expect(account.leftOut == 1)
    }

    @Test func `names a record that nobody has`() {
        let account = account([1: 1, 4: 1])
        #expect(account.lost.map(\.number) == [2])
        #expect("\(account)".contains("lost: number 2, event, at 00:00:12"))
        #expect(self.account([1: 1, 2: 1]).lost.map(\.kind) == ["critical"])
    }

    @Test func `does not count on a record whose making had not returned`() {
        #expect(account([1: 1, 2: 1, 4: 1]).inDoubt == 1)
        let other = account([1: 1, 2: 1, 4: 1, 5: 1])
        #expect(other.isGood)
        #expect(other.inDoubtDelivered == 1)
    }

    @Test func `finds what is shown twice and what no app has made`() {
        #expect(account([1: 2, 2: 1, 4: 1]).repeated == [1])
        #expect(account([1: 1, 2: 1, 4: 1, 6: 1]).invented == [6])
    }

    @Test func `finds a critical record that less urgent ones have overtaken`() {
        let shown: [UInt64: Int] = [1: 1, 2: 1, 4: 1]
        let normal = CollectorGate.Arrival(uptime: 100, numbers: [1, 2])
        let critical = CollectorGate.Arrival(uptime: 101, numbers: [4])
        #expect(account(shown, [normal, critical]).late.map(\.number) == [4])
        #expect(account(shown, [critical, normal]).isGood)
        let early = CollectorGate.Arrival(uptime: 30, numbers: [1, 2])
        #expect(account(shown, [early, critical]).isGood)
    }

    @Test func `has a table of how long records waited by hour`() {
        let arrivals = [
            CollectorGate.Arrival(uptime: 0, numbers: [2], appUptime: 20.5, collections: [15]),
            CollectorGate.Arrival(uptime: 0, numbers: [1], appUptime: 3_610),
            CollectorGate.Arrival(uptime: 0, numbers: [1, 4], appUptime: 3_624.5, collections: [75]),
        ]
        // Number 3 is left out by the mode, and 5 may not exist.
        let table = WaitTable(witnesses, arrivals: arrivals, to: 3_700)
        #expect(table.longest?.kind == "metric" && table.longest?.seconds == 3_625)
        #expect(
            "\(table)" == """
                Longest wait until a record arrived, in seconds
                hour    span  event  debug  error  critical  metric  collections
                   1       -    8.5      -      -         -     5.5            1
                   2  3598.0      -      -      -    3600.0  3625.0            1
                """)
        let later = WaitTable(witnesses, arrivals: arrivals, from: 3_620, to: 3_700)
        #expect(later.longest?.kind == "critical" && later.longest?.seconds == 3_600)
    }

    @Test func `counts what still waits`() {
        let table = WaitTable(witnesses, arrivals: [], to: 100)
        #expect(table.longest?.kind == "span" && table.longest?.seconds == 88)
    }

    @Test func `has a table of what became of the records by hour`() {
        var table = HourlyReport()
        table.note("503")
        table.endHour(AppStatus.Ledger(created: 10, delivered: 4, inJournal: 1, inQueue: 5), requests: 3)
        table.note("collector works")
        table.endHour(AppStatus.Ledger(created: 12, delivered: 11, dropped: ["evicted": 1]), requests: 7)
        #expect(
            "\(table)" == """
                hour  recorded  delivered  waiting  requests  dropped    what happened
                   1        10          4        6         3  0          503
                   2         2          7        0         4  1 evicted  collector works
                """)
    }
}
