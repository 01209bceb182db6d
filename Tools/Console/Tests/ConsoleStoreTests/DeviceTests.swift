import AstrolabeTelemetryModel
import Testing

@testable import ConsoleModel
@testable import ConsoleStore

@Suite
struct DeviceTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    @Test
    func `a device combines its resources, its sessions and its latest ledger snapshot`() async throws {
        try await scratch.withStore { store in
            let old = DeviceLedger.phone("i-1", version: "1.4.1")
            try await store.ingest(traces: ShopFixture.group(old, ShopFixture.phoneSpans(session: "s-old")))
            let new = DeviceLedger.phone("i-1")
            try await store.ingest(logs: ShopFixture.group(new, [Self.event("s-new")]))
            try await store.ingest(traces: ShopFixture.group(ShopFixture.backend, ShopFixture.backendSpans()))
            let account = DeviceLedger(
                at: 9_000, created: 100, delivered: 80, journal: 7, queue: 3,
                dropped: [("expired", 2), ("sampled out", 8)],
            )
            try await store.ingest(metrics: account.groups(from: "i-1"))
            let device = try #require(try await store.device("i-1"))
            #expect(device.device.installation == "i-1")
            #expect(device.device.modelName == "iPhone 15 Pro")
            #expect(device.appVersions == ["1.4.2", "1.4.1"])
            #expect(device.sessions == 2)
            #expect(device.spans == 5, "the backend's are not the device's")
            #expect(device.events == 1)
            let ledger = try #require(device.ledger)
            #expect(ledger.timeUnixNano == ShopFixture.at(9_000))
            #expect([ledger.created, ledger.delivered, ledger.inJournal, ledger.inQueue] == [100, 80, 7, 3])
            #expect(ledger.dropped.map(\.reason) == ["sampled out", "expired"], "the most frequent first")
            #expect(ledger.unaccounted == 0)
            #expect(try await store.sessions(Self.query(device: "i-1")).elements.count == 2)
            #expect(try await store.sessions(Self.query(device: "i-2")).elements.isEmpty)
            #expect(try await store.session("s-new")?.device.installation == "i-1")
            #expect(try await store.statistics().devices == 1)
        }
    }

    @Test
    func `a backend that sends the phone's installation id does not change the device`() async throws {
        try await scratch.withStore { store in
            try await store.ingest(traces: ShopFixture.group(DeviceLedger.phone("i-1"), ShopFixture.phoneSpans()))
            let account = DeviceLedger(at: 9_000, created: 10, delivered: 10)
            try await store.ingest(metrics: account.groups(from: "i-1"))
            let before = try #require(try await store.device("i-1"))
            let ids: Attributes = ["session.id": "s-1", "app.installation.id": "i-1"]
            let spans = ShopFixture.backendSpans().map { span in
                var span = span
                span.attributes.merge(ids)
                return span
            }
            try await store.ingest(traces: ShopFixture.group(ShopFixture.backend, spans))
            let logs = ShopFixture.backendLogs().map { log in
                var log = log
                log.attributes.merge(ids)
                return log
            }
            try await store.ingest(logs: ShopFixture.group(ShopFixture.backend, logs))
            let after = try #require(try await store.device("i-1"))
            #expect([after.spans, after.events] == [before.spans, before.events])
            #expect(after.ledger == before.ledger)
            #expect(after.appVersions == before.appVersions)
            #expect(try await store.statistics().devices == 1)
            let session = try #require(try await store.session("s-1"))
            #expect(session.device.installation == "i-1")
            #expect(session.spans == before.spans + spans.count, "they belong to the session all the same")
        }
    }

    @Test
    func `an unbalanced snapshot reports the difference, and an incomplete one does not`() async throws {
        try await scratch.withStore { store in
            let lacking = DeviceLedger(at: 0, created: 10, delivered: 4, journal: 1, dropped: [("evicted", 2)])
            try await store.ingest(metrics: lacking.groups(from: "i-1"))
            #expect(try await store.device("i-1")?.ledger?.unaccounted == 3)
            let partly = DeviceLedger(at: 1_000, created: 12, delivered: 12)
            let group = ShopFixture.group(DeviceLedger.phone("i-1"), Array(partly.metrics.prefix(2)))
            try await store.ingest(metrics: group)
            let ledger = try #require(try await store.device("i-1")?.ledger)
            #expect(ledger.created == 12)
            #expect(ledger.inQueue == nil)
            #expect(ledger.dropped.isEmpty, "the points of another time are another account's")
            #expect(ledger.unaccounted == nil)
        }
    }

    @Test
    func `a long ledger history is thinned out and keeps its latest snapshot`() async throws {
        try await scratch.withStore { store in
            for minute in 0..<120 {
                let account = DeviceLedger(
                    at: UInt64(minute) * 60_000, created: minute * 10, delivered: minute * 9, queue: minute,
                )
                try await store.ingest(metrics: account.groups(from: "i-1"))
            }
            let course = try #require(try await store.ledgerHistory(ofDevice: "i-1", parts: 12))
            #expect(course.count == 12)
            #expect(course.last?.created == 1_190)
            #expect(course.map(\.timeUnixNano) == course.map(\.timeUnixNano).sorted())
            #expect(course.allSatisfy { $0.unaccounted == 0 })
            #expect(try await store.ledgerHistory(ofDevice: "i-1", parts: 1_000)?.count == 120)
            #expect(try await store.ledgerHistory(ofDevice: "nobody") == nil)
        }
    }

    @Test(arguments: [Double.nan, .infinity, -1, 0.5, 1e300])
    func `an invalid number of records is left out`(value: Double) async throws {
        try await scratch.withStore { store in
            let point = NumberPoint(timeUnixNano: 1, value: .double(value))
            let metric = MetricData(name: "astrolabe.records.created", data: .gauge([point]))
            try await store.ingest(metrics: ShopFixture.group(DeviceLedger.phone("i-1"), [metric]))
            let ledger = try #require(try await store.device("i-1")?.ledger)
            #expect(ledger.created == nil)
            #expect(ledger.unaccounted == nil)
        }
    }

    @Test
    func `devices are listed most recently seen first, in pages, and can be searched`() async throws {
        try await scratch.withStore { store in
            for number in 1...5 {
                let phone = DeviceLedger.phone("i-\(number)", version: "2.\(number)")
                try await store.ingest(logs: ShopFixture.group(phone, [Self.event("s-\(number)")]))
            }
            try await store.ingest(
                logs: ShopFixture.group(DeviceLedger.phone("i-2", version: "2.2"), [Self.event("s-22")]))
            var ids: [String] = []
            var query = DeviceQuery(limit: 2)
            repeat {
                let page = try await store.devices(query)
                ids += page.elements.map(\.id)
                query.cursor = page.next
            } while query.cursor != nil
            #expect(ids == ["i-2", "i-5", "i-4", "i-3", "i-1"])
            #expect(
                try await store.devices(DeviceQuery(text: "service.version=2.4 iphone")).elements.map(\.id) == ["i-4"])
            #expect(try await store.devices(DeviceQuery(text: "android")).elements.isEmpty)
        }
    }

    @Test
    func `resources without a valid installation id are not devices`() async throws {
        try await scratch.withStore { store in
            var number = ShopFixture.phone
            number.attributes["app.installation.id"] = 7
            let names =
                [ShopFixture.phone, number] + ["", String(repeating: "x", count: 300)].map { DeviceLedger.phone($0) }
            for (index, resource) in names.enumerated() {
                try await store.ingest(logs: ShopFixture.group(resource, [Self.event("s-\(index)")]))
            }
            #expect(try await store.devices().elements.isEmpty)
            #expect(try await store.sessions().elements.allSatisfy { $0.device.installation.isEmpty })
            #expect(try await store.statistics().devices == 0)
        }
    }

    @Test
    func `retention removes a device with its last record`() async throws {
        let clock = HandClock(seconds: 1_790_000_000)
        let store = try await scratch.store(retention: .init(age: .seconds(3_600)), now: { clock.now })
        try await store.ingest(metrics: DeviceLedger(at: 0, created: 1, delivered: 1).groups(from: "i-old"))
        #expect(try await store.device("i-old")?.lastSeenUnixNano == clock.now / 60_000_000_000 * 60_000_000_000)
        clock.advance(hours: 2)
        try await store.ingest(metrics: DeviceLedger(at: 7_200_000, created: 1, delivered: 1).groups(from: "i-new"))
        try await store.applyRetention()
        #expect(try await store.devices().elements.map(\.id) == ["i-new"])
        #expect(try await store.device("i-old") == nil)
        await store.close()
    }

    private static func event(_ session: String) -> LogRecordData {
        LogRecordData(
            timeUnixNano: ShopFixture.at(50), severityNumber: 9, eventName: "session.start",
            attributes: ["session.id": session, "log.record.uid": "start of \(session)"],
        )
    }

    private static func query(device: String) -> SessionQuery {
        var query = SessionQuery()
        query.device = device
        return query
    }
}
