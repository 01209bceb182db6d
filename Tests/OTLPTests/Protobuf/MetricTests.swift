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

    @Test func `is an exponential histogram, its counts packed or not`() throws {
        let packed = Wire.bytes(2, [1, 0, 0x80, 0x02])
        let single = Wire.varint(2, 1) + Wire.varint(2, 0) + Wire.varint(2, 256)
        for counts in [packed, single] {
            let metric = try Reading.metric(
                Wire.message(
                    10,
                    Wire.message(
                        1, Wire.attribute(1, "k", Wire.text(1, "v")), Wire.fixed64(2, 1), Wire.fixed64(3, 2),
                        Wire.fixed64(4, 262), Wire.double(5, 7), Wire.varint(6, 3), Wire.fixed64(7, 4),
                        Wire.message(8, Wire.varint(1, 4), counts),
                        Wire.message(9, Wire.varint(1, 7), Wire.varint(2, 1)),
                        Wire.double(12, -9), Wire.double(13, 12), Wire.double(14, 0.25),
                    ),
                    Wire.varint(2, 1),
                )
            )
            let point = ExponentialHistogramPoint(
                attributes: ["k": "v"], startTimeUnixNano: 1, timeUnixNano: 2, count: 262, sum: 7, min: -9, max: 12,
                scale: -2, zeroCount: 4, zeroThreshold: 0.25, positive: .init(offset: 2, counts: [1, 0, 256]),
                negative: .init(offset: -4, counts: [1]),
            )
            #expect(metric.data == .exponentialHistogram([point], temporality: .delta))
        }
    }

    @Test func `is a summary with quantiles`() throws {
        let metric = try Reading.metric(
            Wire.message(
                11,
                Wire.message(
                    1, Wire.fixed64(2, 1), Wire.fixed64(3, 2), Wire.fixed64(4, 6), Wire.double(5, 7),
                    Wire.message(6, Wire.double(1, 0.5), Wire.double(2, 1.5)), Wire.message(6, Wire.double(1, 1)),
                    Wire.attribute(7, "k", Wire.text(1, "v")),
                ),
                Wire.message(1, Wire.varint(8, 1)),
            )
        )
        let point = SummaryPoint(
            attributes: ["k": "v"], startTimeUnixNano: 1, timeUnixNano: 2, count: 6, sum: 7,
            quantiles: [.init(quantile: 0.5, value: 1.5), .init(quantile: 1, value: 0)],
        )
        #expect(metric.data == .summary([point]))
    }

    @Test func `without points of a known kind is unknown, and keeps its metadata`() throws {
        let metric = try Reading.metric(Self.named, Wire.attribute(12, "type", Wire.text(1, "info")))
        #expect(metric.data == .unknown)
        #expect(metric.metadata == ["type": "info"])
    }

    @Test func `is of the last kind that came`() throws {
        let point = Wire.message(1, Wire.fixed64(6, 1))
        let metric = try Reading.metric(Wire.bytes(5, point), Wire.bytes(7, point), Wire.message(5))
        #expect(metric.data == .gauge([]))
    }

    @Test func `has exemplars with the span that was current`() throws {
        let ids = Wire.bytes(4, [UInt8](repeating: 1, count: 8)) + Wire.bytes(5, [UInt8](repeating: 2, count: 16))
        let exemplars =
            Wire.message(5, Wire.attribute(7, "k", []), Wire.fixed64(2, 9), Wire.fixed64(6, .max), ids)
            + Wire.message(5, Wire.double(3, 0.5))
        let metric = try Reading.metric(Wire.message(5, Wire.message(1, exemplars, Wire.fixed64(6, 2))))
        let first = Exemplar(
            filteredAttributes: ["k": AttributeValue.empty], timeUnixNano: 9, value: .int(-1),
            traceID: TraceID(high: 0x0202_0202_0202_0202, low: 0x0202_0202_0202_0202),
            spanID: SpanID(0x0101_0101_0101_0101),
        )
        let second = Exemplar(timeUnixNano: 0, value: .double(0.5))
        #expect(
            metric.data == .gauge([NumberPoint(timeUnixNano: 0, value: .int(2), exemplars: [first, second])]))
    }
}
