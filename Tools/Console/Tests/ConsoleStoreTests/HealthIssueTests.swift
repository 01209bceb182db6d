import AstrolabeTelemetryModel
import ConsoleModel
import ConsoleStore
import Foundation
import Testing

/// Crashes, hangs and late frames in the form that `Docs/Internals/HealthEvents.md` gives them.
@Suite(.timeLimit(.minutes(5))) struct HealthIssueTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    private static func phone(_ user: Int, _ version: String) -> Resource {
        Resource(attributes: [
            "service.name": "astronomy-shop", "service.version": version, "os.name": "iOS",
            "app.installation.id": "user-\(user)",
        ])
    }

    private static func record(
        _ name: String, session: String, at seconds: UInt64, screen: String = "Cart", _ more: Attributes = [:],
    ) -> LogRecordData {
        var attributes: Attributes = [
            "session.id": session, "app.screen.name": screen,
            "log.record.uid": "\(name)-\(session)-\(seconds)-\(more["app.jank.threshold"]?.description ?? "")",
        ]
        attributes.merge(more)
        return LogRecordData(
            timeUnixNano: ShopFixture.start + seconds * 1_000_000_000, severityNumber: name == "app.jank" ? 13 : 21,
            eventName: name, attributes: attributes,
        )
    }

    private static func crash(_ session: String, at seconds: UInt64, _ more: Attributes = [:]) -> LogRecordData {
        record("app.crash", session: session, at: seconds, (["exception.type": "SIGILL"] as Attributes).merging(more))
    }

    private static func hang(_ session: String, at seconds: UInt64, lasting duration: Double) -> LogRecordData {
        record("astrolabe.hang", session: session, at: seconds, ["astrolabe.hang.duration": duration])
    }

    /// Indexes every crash or hang under the fingerprint that `group` returns.
    private static func file(
        in store: SQLiteStore, wanting builds: [String] = [],
        as group: @Sendable (IssueEvent) -> String = { $0.kind.name },
    ) async throws {
        try await store.file(
            try await store.unindexedIssueEvents().map {
                IssueFingerprint(
                    seq: $0.event.seq, kind: $0.kind, fingerprint: group($0), title: "title of \(group($0))",
                    place: "CartModel.add(_:) · CartModel.swift:42", wantedBuilds: builds,
                )
            }
        )
    }

    @Test
    func `unindexed crashes and hangs are listed once, with their session and origin`() async throws {
        try await scratch.withStore { store in
            try await store.ingest(
                logs: ShopFixture.group(
                    Self.phone(1, "1.0"),
                    [
                        Self.crash("s-1", at: 10), Self.hang("s-1", at: 5, lasting: 1.5),
                        Self.record("app.jank", session: "s-1", at: 3),
                        Self.record("app.widget.click", session: "s-1", at: 2),
                    ],
                )
            )
            let waiting = try await store.unindexedIssueEvents()
            #expect(waiting.map(\.kind) == [.crash, .hang])
            #expect(waiting.allSatisfy { $0.session == "s-1" && $0.origin.service == "astronomy-shop" })
            try await Self.file(in: store)
            #expect(try await store.unindexedIssueEvents().isEmpty)
            let first = try #require(waiting.first)
            #expect(try await store.issueEvent(first.event.seq) == first)
            #expect(try await store.issueEvent(first.event.seq + 1_000) == nil)
        }
    }

    @Test
    func `an issue counts crashes, users, sessions, versions and screens, and has first and last times`() async throws {
        try await scratch.withStore { store in
            for (user, version, session, time) in [
                (1, "1.0", "s-1", 10), (1, "1.1", "s-2", 90), (2, "1.1", "s-3", 50),
            ] as [(Int, String, String, UInt64)] {
                try await store.ingest(
                    logs: ShopFixture.group(Self.phone(user, version), [Self.crash(session, at: time)]))
            }
            try await Self.file(in: store)
            let groups = try await store.issues(IssueQuery(kind: .crash))
            let group = try #require(groups.first)
            #expect(groups.count == 1)
            #expect((group.count, group.users, group.sessions) == (3, 2, 3))
            #expect(group.versions == ["1.1", "1.0"])
            #expect(group.screens == ["Cart"])
            #expect(group.firstUnixNano == ShopFixture.start + 10_000_000_000)
            #expect(group.lastUnixNano == ShopFixture.start + 90_000_000_000)
            #expect(group.place == "CartModel.add(_:) · CartModel.swift:42")
            let issueEvents = try await store.issueEvents(of: group.fingerprint)
            #expect(issueEvents.map(\.session) == ["s-2", "s-3", "s-1"])
            #expect(issueEvents.map(\.appVersion) == ["1.1", "1.1", "1.0"])
            var query = IssueQuery(kind: .crash)
            query.version = "1.0"
            #expect(try await store.issues(query).map(\.count) == [1])
            #expect(try await store.issues(IssueQuery(kind: .hang)).isEmpty)
        }
    }

    @Test
    func `the crash that happened most often comes first, and the hang that took the most time`() async throws {
        try await scratch.withStore { store in
            let records = [
                Self.crash("s-1", at: 10), Self.crash("s-2", at: 11), Self.crash("s-3", at: 90),
                Self.hang("s-1", at: 20, lasting: 10), Self.hang("s-1", at: 40, lasting: 0.5),
                Self.hang("s-2", at: 80, lasting: 0.5),
            ]
            try await store.ingest(logs: ShopFixture.group(Self.phone(1, "1.0"), records))
            // One crash and two short hangs of another cause are the newest.
            try await Self.file(in: store) { issueEvent in
                switch issueEvent.kind {
                case .crash: issueEvent.session == "s-3" ? "rare" : "frequent"
                case .hang: issueEvent.event.timeUnixNano < ShopFixture.at(30_000) ? "freeze" : "stutter"
                }
            }
            let crashes = try await store.issues(IssueQuery(kind: .crash))
            #expect(crashes.map(\.fingerprint) == ["frequent", "rare"])
            let hangs = try await store.issues(IssueQuery(kind: .hang))
            #expect(hangs.map(\.fingerprint) == ["freeze", "stutter"])
        }
    }

    @Test
    func `a crash counts for the version that crashed, not for the one that reports it`() async throws {
        try await scratch.withStore { store in
            try await store.ingest(
                logs: ShopFixture.group(
                    Self.phone(1, "2.0"), [Self.crash("s-1", at: 10, ["service.version": "1.0"])]))
            try await Self.file(in: store)
            #expect(try await store.issue("crash")?.versions == ["1.0"])
            let releases = try await store.releases()
            #expect(releases.first { $0.version == "1.0" }?.crashedSessions == 1)
            #expect(releases.first { $0.version == "2.0" }?.crashes ?? 0 == 0)
        }
    }

    @Test
    func `crashes and hangs that want a build are read again when it comes, the others are not`() async throws {
        try await scratch.withStore { store in
            let phone = Self.phone(1, "1.0")
            try await store.ingest(logs: ShopFixture.group(phone, [Self.crash("s-1", at: 1)]))
            try await Self.file(in: store, wanting: ["aabbccdd", "00112233"])
            try await store.ingest(logs: ShopFixture.group(phone, [Self.crash("s-2", at: 2)]))
            try await Self.file(in: store)
            #expect(try await store.wantedBuilds() == ["aabbccdd", "00112233"])
            try await store.reindexIssueEvents(wanting: ["ffffffff"])
            #expect(try await store.unindexedIssueEvents().isEmpty)
            try await store.reindexIssueEvents(wanting: ["00112233"])
            #expect(try await store.unindexedIssueEvents().map(\.session) == ["s-1"])
        }
    }

    @Test
    func `retention removes a crash or hang with its record`() async throws {
        let clock = HandClock(seconds: 1_790_000_000)
        let store = try await scratch.store(
            retention: .init(age: .seconds(3_600), bytes: 1 << 30), now: { clock.now })
        try await store.ingest(logs: ShopFixture.group(Self.phone(1, "1.0"), [Self.crash("s-1", at: 1)]))
        try await Self.file(in: store)
        clock.advance(hours: 3)
        try await store.applyRetention()
        #expect(try await store.issues(IssueQuery(kind: .crash)).isEmpty)
        await store.close()
    }

    @Test
    func `releases have crash-free sessions and users, hangs, and slow frames from the histogram`() async throws {
        try await scratch.withStore { store in
            for user in 1...4 {
                let phone = Self.phone(user, "1.0")
                var records = [Self.record("session.start", session: "s-\(user)", at: 1)]
                if user == 1 { records += [Self.crash("s-1", at: 10), Self.crash("s-1", at: 20)] }
                if user == 2 { records += [Self.hang("s-2", at: 10, lasting: 2.5)] }
                try await store.ingest(logs: ShopFixture.group(phone, records))
            }
            // A cumulative histogram: the second point includes the first.
            let first: [UInt64] = [10, 20, 60, 5, 0, 0, 0, 0, 0, 0]
            let second: [UInt64] = [20, 40, 120, 10, 5, 3, 0, 1, 1, 0]
            let points = [first, second].enumerated().map { index, counts in
                HistogramPoint(
                    attributes: ["app.screen.name": "Cart"], startTimeUnixNano: 1, timeUnixNano: UInt64(index + 1),
                    count: counts.reduce(0, +), sum: 1, bucketCounts: counts,
                    explicitBounds: [0.004, 0.0083, 0.0167, 0.033, 0.05, 0.1, 0.25, 0.7, 2],
                )
            }
            try await store.ingest(
                metrics: ShopFixture.group(
                    Self.phone(1, "1.0"),
                    [
                        MetricData(
                            name: "astrolabe.frame.duration", unit: "s",
                            data: .histogram(points, temporality: .cumulative))
                    ],
                )
            )
            try await Self.file(in: store)
            let release = try #require(try await store.releases().first)
            #expect((release.sessions, release.crashedSessions) == (4, 1))
            #expect((release.users, release.crashedUsers) == (4, 1))
            #expect((release.crashes, release.hangs) == (2, 1))
            #expect(release.hangTime == 2.5)
            #expect(release.frames.frames == 200)
            #expect(release.frames.slow == 20)
            #expect(release.frames.frozen == 1)
        }
    }

    @Test
    func `the latest release is the highest version, not the one heard of last`() async throws {
        try await scratch.withStore { store in
            // Session times: 2.0.0 is heard of last, and 2.10.0 before 2.9.0.
            let heard: [(String, UInt64)] = [
                ("2.10.0-beta.2", 1), ("2.10.0-beta.10", 2), ("2.10.0", 3), ("2.9.0", 4), ("nightly", 5), ("", 6),
                ("v1.4", 7), ("2.10.0+5", 8), ("2.10", 9), ("2.0.0", 90),
            ]
            for (index, (version, second)) in heard.enumerated() {
                let start = Self.record("session.start", session: "s-\(index)", at: second)
                try await store.ingest(logs: ShopFixture.group(Self.phone(index, version), [start]))
            }
            try await store.ingest(
                logs: ShopFixture.group(Self.phone(1, "2.10.0"), [Self.record("x", session: "s-old", at: 100)]))
            // Of equal versions, the one that was first seen later is the newer one.
            #expect(
                try await store.releases().map(\.version) == [
                    "2.10", "2.10.0+5", "2.10.0", "2.10.0-beta.10", "2.10.0-beta.2", "2.9.0", "2.0.0", "v1.4",
                    "nightly", "",
                ])
        }
    }

    @Test
    func `slow screens sum their late frames, with the worst session first`() async throws {
        try await scratch.withStore { store in
            func jank(_ session: String, _ screen: String, at time: UInt64, _ late: Int, over threshold: Double)
                -> LogRecordData
            {
                Self.record(
                    "app.jank", session: session, at: time, screen: screen,
                    [
                        "app.jank.frame_count": AttributeValue(late), "app.jank.threshold": threshold,
                        "app.jank.period": 10.0, "astrolabe.jank.frames": 600,
                        "astrolabe.jank.longest": threshold * 2,
                    ],
                )
            }
            try await store.ingest(
                logs: ShopFixture.group(
                    Self.phone(1, "1.0"),
                    [
                        jank("s-1", "Cart", at: 10, 12, over: 0.0167), jank("s-1", "Cart", at: 10, 1, over: 0.7),
                        jank("s-2", "Cart", at: 20, 30, over: 0.0167), jank("s-2", "About", at: 30, 2, over: 0.0167),
                    ],
                )
            )
            let screens = try await store.slowScreens()
            #expect(screens.map(\.screen) == ["Cart", "About"])
            let cart = try #require(screens.first)
            #expect((cart.late.frames, cart.late.slow, cart.late.frozen) == (1_200, 42, 1))
            #expect(cart.longest == 1.4)
            #expect(cart.period == 20)
            #expect(cart.sessions == 2)
            #expect(cart.worstSessions == ["s-2", "s-1"])
            #expect(cart.all == nil)
            #expect(cart.frames == cart.late)
        }
    }

    @Test
    func `a screen with a histogram is judged and ordered by it, not by its late frames`() async throws {
        try await scratch.withStore { store in
            func jank(_ screen: String, at time: UInt64, _ late: Int) -> LogRecordData {
                Self.record(
                    "app.jank", session: "s-1", at: time, screen: screen,
                    ["app.jank.frame_count": AttributeValue(late), "app.jank.threshold": 0.0167])
            }
            let phone = Self.phone(1, "1.0")
            try await store.ingest(
                logs: ShopFixture.group(phone, [jank("Cart", at: 10, 5), jank("Home", at: 20, 6)]))
            let point = HistogramPoint(
                attributes: ["app.screen.name": "Cart"], startTimeUnixNano: 1, timeUnixNano: 2, count: 100, sum: 1,
                bucketCounts: [91, 8, 1], explicitBounds: [0.0167, 0.7])
            try await store.ingest(
                metrics: ShopFixture.group(
                    phone,
                    [
                        MetricData(
                            name: "astrolabe.frame.duration", unit: "s",
                            data: .histogram([point], temporality: .cumulative))
                    ]))
            let screens = try await store.slowScreens()
            #expect(screens.map(\.screen) == ["Cart", "Home"])
            #expect(screens.map(\.frames.slow) == [9, 6])
            #expect(screens.map(\.frames.frozen) == [1, 0])
        }
    }

    @Test
    func `the last seconds of a session can be read separately`() async throws {
        try await scratch.withStore { store in
            try await store.ingest(
                logs: ShopFixture.group(
                    Self.phone(1, "1.0"),
                    (1...20).map { Self.record("app.widget.click", session: "s-1", at: $0) } + [
                        Self.crash("s-1", at: 21)
                    ],
                )
            )
            var query = TimelineQuery(session: "s-1")
            query.times = ShopFixture.start + 18_000_000_000...ShopFixture.start + 21_000_000_000
            let page = try #require(try await store.timeline(query))
            #expect(page.items.map { ($0.timeUnixNano - ShopFixture.start) / 1_000_000_000 } == [18, 19, 20, 21])
        }
    }
}

extension Attributes {
    fileprivate func merging(_ more: Attributes) -> Attributes {
        var all = self
        all.merge(more)
        return all
    }
}
