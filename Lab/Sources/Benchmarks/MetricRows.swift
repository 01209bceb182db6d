import Astrolabe
import Foundation

/// The cost of a measurement for the app.
enum MetricRows {
    static func measure() -> [Row] {
        let locked = LockedHistogram()
        let other = Measurement.of(count: 100_000) { locked.record(0.34, attributes: attributes) }
        let spanned = Workload.telemetry(into: DiscardingSink()) { $0.exemplars = .traceBased }
        let exemplars = spanned.tracer(Workload.scope).withSpan("root") { _ in recorded(with: spanned) }
        return [
            row("measurement of a histogram, with 3 attributes", recorded(), other, allocations: 3),
            row(
                "the same, with a view that keeps one attribute",
                recorded {
                    $0.metricViews = [MetricView(instrument: name, attributeKeys: ["http.request.method"])]
                }, other, allocations: 4),
            row(
                "the same, with a view that makes it exponential",
                recorded { $0.metricViews = [MetricView(instrument: name, aggregation: .base2Exponential())] }, other,
                allocations: 3),
            row("the same, with exemplars, in a sampled span", exemplars, other, limit: 1_500, allocations: 6),
            row("the same, SDK disabled", recorded(with: .disabled), other, limit: 300, allocations: 1),
        ] + often()
    }

    /// Measurements that come often with the same attributes.
    private static func often() -> [Row] {
        let meter = Workload.telemetry(into: DiscardingSink()).meter(Workload.scope)
        let (counter, histogram, once) = (
            meter.counter("demo.requests"), meter.histogram(name, unit: "s"), attributes,
        )
        let (boundCounter, boundHistogram) = (counter.bound(to: once), histogram.bound(to: once))
        let (map, sum, point) = (LockedHistogram(), LockedSum(), LockedPoint())
        let inMap = Measurement.of(count: 100_000) { map.record(1, attributes: once) }
        let inSum = Measurement.of(count: 1_000_000) { sum.add(1) }
        let inPoint = Measurement.of(count: 1_000_000) { point.record(0.34) }
        return [
            row(
                "measurement of a counter, with 3 attributes made once",
                Measurement.of(count: 100_000) { counter.add(1, attributes: once) }, inMap, allocations: 1),
            row(
                "measurement of a bound counter", Measurement.of(count: 1_000_000) { boundCounter.add(1) }, inSum,
                "a sum behind a lock", limit: 20, allocations: 0),
            row(
                "measurement of a bound histogram", Measurement.of(count: 1_000_000) { boundHistogram.record(0.34) },
                inPoint, "a point behind a lock", limit: 20, allocations: 0),
        ]
    }

    private static let name = "http.client.request.duration"

    @inline(__always)
    private static var attributes: Attributes {
        ["http.request.method": "GET", "server.address": "shop.example", "http.response.status_code": 200]
    }

    private static func recorded(_ configure: (inout TelemetryConfiguration) -> Void = { _ in }) -> Measurement {
        recorded(with: Workload.telemetry(into: DiscardingSink(), configure: configure))
    }

    private static func recorded(with telemetry: Telemetry) -> Measurement {
        let histogram = telemetry.meter(Workload.scope).histogram(name, unit: "s")
        return Measurement.of(count: 100_000) { histogram.record(0.34, attributes: attributes) }
    }

    private static func row(
        _ name: String, _ measured: Measurement, _ other: Measurement,
        _ alternative: String = "dictionary of points behind a lock", limit: Double = 1_000, allocations: Double,
    ) -> Row {
        Row(
            name: name,
            figure: "\(Report.ns(measured.nanoseconds)), \(Report.count(measured.allocations)) allocations",
            target: "under \(Report.ns(limit)), \(Report.count(allocations)) allocations",
            isMet: measured.nanoseconds < limit && measured.allocations <= allocations,
            alternative:
                "\(alternative): \(Report.ns(other.nanoseconds)), "
                + "\(Report.count(other.allocations)) allocations; "
                + Report.times(other.nanoseconds / measured.nanoseconds))
    }
}

/// A point of a histogram, for comparison only.
private struct Point {
    private var count = 0
    private var sum = 0.0
    private var minimum = Double.infinity
    private var maximum = -Double.infinity
    private var counts = [Int](repeating: 0, count: Point.bounds.count + 1)

    /// The specification's default boundaries.
    private static let bounds: [Double] = [
        0, 5, 10, 25, 50, 75, 100, 250, 500, 750, 1_000, 2_500, 5_000, 7_500, 10_000,
    ]

    mutating func add(_ value: Double) {
        count += 1
        sum += value
        minimum = min(minimum, value)
        maximum = max(maximum, value)
        counts[Point.bounds.firstIndex { value <= $0 } ?? Point.bounds.count] += 1
    }
}

/// The design of most SDKs, for comparison only: a lock around a dictionary with a point for each set of attributes.
private final class LockedHistogram: @unchecked Sendable {  // every access to `points` holds the lock
    private let lock = NSLock()
    private var points: [[String: AttributeValue]: Point] = [:]

    func record(_ value: Double, attributes: Attributes) {
        var key: [String: AttributeValue] = [:]
        for element in attributes { key[element.key] = element.value }
        lock.withLock { points[key, default: Point()].add(value) }
    }
}

/// One point behind a lock: the least that a bound histogram needs.
private final class LockedPoint: @unchecked Sendable {  // every access to `point` holds the lock
    private let lock = NSLock()
    private var point = Point()

    func record(_ value: Double) {
        lock.withLock { point.add(value) }
    }
}

/// One number behind a lock: the least that a bound counter needs.
private final class LockedSum: @unchecked Sendable {  // every access to `sum` holds the lock
    private let lock = NSLock()
    private var sum = 0

    func add(_ value: Int) {
        lock.withLock { sum &+= value }
    }
}
