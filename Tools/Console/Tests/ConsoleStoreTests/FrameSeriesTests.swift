import AstrolabeTelemetryModel
import ConsoleModel
import Testing

@testable import ConsoleStore

@Suite struct `Slow frames of services` {
    private static func frames(_ service: String, series: Int) -> [ResourceGroup<MetricData>] {
        let points = (0..<series).map { number in
            HistogramPoint(
                attributes: ["app.screen.name": "Screen \(number)"], timeUnixNano: ShopFixture.at(1_000), count: 3,
                bucketCounts: [2, 1], explicitBounds: [FrameCounts.slowBound])
        }
        let metric = MetricData(
            name: "astrolabe.frame.duration", unit: "s", data: .histogram(points, temporality: .delta))
        return ShopFixture.group(Resource(attributes: ["service.name": service]), [metric])
    }

    @Test func `are counted for each of them, however many series another one has`() async throws {
        let scratch = try Scratch()
        try await scratch.withStore { store in
            try await store.ingest(metrics: Self.frames("noisy", series: 20))
            try await store.ingest(metrics: Self.frames("quiet", series: 2))
            let counts = try await store.read { database in
                try FrameReader(database: database, seriesLimit: 6).counts(by: ["r.service"], service: nil)
            }
            #expect(counts[["quiet"]] == FrameCounts(frames: 6, slow: 2))
            #expect(counts[["noisy"]] == FrameCounts(frames: 12, slow: 4))
        }
    }

    @Test func `are listed for each of them, however many slow screens another one has`() async throws {
        let scratch = try Scratch()
        try await scratch.withStore { store in
            for (service, screens, late) in [("noisy", 250, 9), ("quiet", 2, 1)] {
                let events = (0..<screens).map { number in
                    LogRecordData(
                        timeUnixNano: ShopFixture.at(UInt64(number)), severityNumber: 13, eventName: "app.jank",
                        attributes: [
                            "app.screen.name": "Screen \(number)", "app.jank.threshold": FrameCounts.slowBound,
                            "app.jank.frame_count": late,
                        ])
                }
                let resource = Resource(attributes: ["service.name": service])
                try await store.ingest(logs: ShopFixture.group(resource, events))
            }
            let screens = try await store.slowScreens()
            #expect(screens.count == 200)
            #expect(screens.filter { $0.app.service == "quiet" }.map(\.screen) == ["Screen 0", "Screen 1"])
        }
    }
}
