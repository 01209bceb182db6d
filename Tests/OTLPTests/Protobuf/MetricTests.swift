import AstrolabeOTLP
import AstrolabeTelemetryModel
import Testing

@Suite struct `A metric in protobuf` {
    static let named = Wire.text(1, "app.jank") + Wire.text(2, "frames") + Wire.text(3, "{frame}")

    @Test func `is a gauge`() throws {
        let metric = try Reading.metric(
            Self.named,
            Wire.message(
                5,
                Wire.message(
                    1, Wire.fixed64(2, 1), Wire.fixed64(3, 2), Wire.double(4, 0.25),
                    Wire.attribute(7, "k", Wire.varint(3, 1)),
                ),
                Wire.message(1, Wire.fixed64(3, 3), Wire.fixed64(6, UInt64(bitPattern: -9))),
            ),
        )
        let points = [
            NumberPoint(attributes: ["k": 1], startTimeUnixNano: 1, timeUnixNano: 2, value: .double(0.25)),
            NumberPoint(timeUnixNano: 3, value: .int(-9)),
        ]
        #expect(metric == MetricData(name: "app.jank", description: "frames", unit: "{frame}", data: .gauge(points)))
    }

    @Test func `is a sum`() throws {
        let point = Wire.message(1, Wire.fixed64(3, 3), Wire.fixed64(6, 4))
        let metric = try Reading.metric(Wire.message(7, point, Wire.varint(2, 2), Wire.varint(3, 1)))
        let points = [NumberPoint(timeUnixNano: 3, value: .int(4))]
        #expect(metric.data == .sum(points, temporality: .cumulative, isMonotonic: true))
    }

    @Test func `is a histogram, its numbers packed or not`() throws {
        let packed =
            Wire.bytes(6, [1, 2, 3].flatMap { Wire.littleEndian($0, 8) })
            + Wire.bytes(7, [0.5, 1.5].flatMap { Wire.littleEndian(($0 as Double).bitPattern, 8) })
        let single =
            Wire.fixed64(6, 1) + Wire.double(7, 0.5) + Wire.fixed64(6, 2) + Wire.fixed64(6, 3) + Wire.double(7, 1.5)
        for numbers in [packed, single] {
            let metric = try Reading.metric(
                Wire.message(
                    9,
                    Wire.message(
                        1, Wire.fixed64(2, 1), Wire.fixed64(3, 2), Wire.fixed64(4, 6), Wire.double(5, 7), numbers,
                        Wire.attribute(9, "k", Wire.text(1, "v")), Wire.double(11, 0.1), Wire.double(12, 2),
                    ),
                    Wire.varint(2, 1),
                )
            )
            let point = HistogramPoint(
                attributes: ["k": "v"], startTimeUnixNano: 1, timeUnixNano: 2, count: 6, sum: 7, min: 0.1, max: 2,
                bucketCounts: [1, 2, 3], explicitBounds: [0.5, 1.5],
            )
            #expect(metric.data == .histogram([point], temporality: .delta))
        }
    }

    @Test func `tells a sum of zero from no sum`() throws {
        let metric = try Reading.metric(Wire.message(9, Wire.message(1, Wire.double(5, 0)), Wire.message(1)))
        guard case .histogram(let points, _) = metric.data else {
            Issue.record("expected a histogram")
            return
        }
        #expect(points.map(\.sum) == [0, nil])
    }

    @Test(arguments: [
        (buckets: 2, bounds: [1.0, 2.0]), (buckets: 0, bounds: [1.0]), (buckets: 4, bounds: [1.0, 2.0]),
        (buckets: 3, bounds: [2.0, 1.0]), (buckets: 3, bounds: [1.0, 1.0]), (buckets: 2, bounds: [.nan, 1.0]),
    ])
    func `is refused where buckets do not fit their bounds`(buckets: Int, bounds: [Double]) throws {
        let point =
            (0..<buckets).flatMap { _ in Wire.fixed64(6, 1) } + bounds.flatMap { Wire.double(7, $0) }
        let error = try refusal { try Reading.metric(Wire.message(9, Wire.bytes(1, point))) }
        #expect(error.path == "resource_metrics[0].scope_metrics[0].metrics[0].histogram.data_points[0]")
    }

    @Test func `leaves out points with no recorded value, and points without one`() throws {
        let flagged = Wire.message(1, Wire.fixed64(6, 1), Wire.varint(8, 1))
        let bare = Wire.message(1, Wire.fixed64(3, 1))
        let good = Wire.message(1, Wire.fixed64(6, 5), Wire.varint(8, 2))
        let gauge = try Reading.metric(Wire.message(5, flagged, good, bare))
        #expect(gauge.data == .gauge([NumberPoint(timeUnixNano: 0, value: .int(5))]))

        let histogram = try Reading.metric(Wire.message(9, Wire.message(1, Wire.varint(10, 3)), Wire.message(1)))
        #expect(histogram.data == .histogram([HistogramPoint(timeUnixNano: 0, count: 0)], temporality: nil))
    }

    @Test func `counts the points of kinds that are not read`() throws {
        let points = Wire.message(1, Wire.fixed64(3, 1)) + Wire.message(1)
        #expect(
            try Reading.metric(Wire.bytes(10, points + Wire.varint(2, 1))).data
                == .unsupported("exponential_histogram", pointCount: 2))
        #expect(try Reading.metric(Wire.bytes(11, points)).data == .unsupported("summary", pointCount: 2))
        #expect(try Reading.metric(Self.named).data == .unsupported("unknown", pointCount: 0))
    }

    @Test func `is of the last kind that came`() throws {
        let point = Wire.message(1, Wire.fixed64(6, 1))
        let metric = try Reading.metric(Wire.bytes(5, point), Wire.bytes(7, point), Wire.message(5))
        #expect(metric.data == .gauge([]))
    }

    @Test func `skips exemplars`() throws {
        let exemplar = Wire.message(5, Wire.attribute(7, "k", []), Wire.fixed64(6, 1))
        let metric = try Reading.metric(Wire.message(5, Wire.message(1, exemplar, Wire.fixed64(6, 2))))
        #expect(metric.data == .gauge([NumberPoint(timeUnixNano: 0, value: .int(2))]))
    }
}
