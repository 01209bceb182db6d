import Astrolabe

/// The cost of an event for the app.
enum EventRows {
    static func measure() -> [Row] {
        let sink = CopyingSink()
        let events = Workload.telemetry(into: sink).logger(Workload.scope)
        let processed = Workload.telemetry(into: sink) { $0.logRecordProcessors = [Nothing()] }.logger(Workload.scope)
        let ambient: [String: AttributeValue] = ["session.id": "7f6cbb4e-6f0c-4a3e-9d2f-0b5a1c8e4d21"]
        var encodedBytes = 0
        let objects = Measurement.of(count: 20_000) {
            encodedBytes &+= ObjectModelEvent(name, attributes, merging: ambient).encoded().count
        }
        let bare = Measurement.of(count: 20_000) {
            encodedBytes &+= ObjectModelEvent(name, [:], merging: ambient).encoded().count
        }
        return [
            row(
                "event with 4 attributes, encoded as OTLP",
                Measurement.of(count: 100_000) { events.emit(name, attributes: attributes) }, objects, limit: 1_000,
                allocations: 2),
            row(
                "event without attributes", Measurement.of(count: 100_000) { events.emit(name) }, bare, limit: 600,
                allocations: 0),
            row(
                "event with 4 attributes and a log record processor that does nothing",
                Measurement.of(count: 100_000) { processed.emit(name, attributes: attributes) }, objects,
                limit: 1_500, allocations: 6),
        ]
    }

    private static let name = "demo.cart.product_added"

    private struct Nothing: LogRecordProcessor {
        func onEmit(_ record: inout LogRecord) {}
    }

    @inline(__always)
    private static var attributes: Attributes {
        [
            "demo.product.id": "OLJCESPC7Z", "demo.product.quantity": 2, "demo.product.price": 101.96,
            "demo.cart.is_new": false,
        ]
    }

    private static func row(
        _ name: String, _ measured: Measurement, _ other: Measurement, limit: Double, allocations: Double,
    ) -> Row {
        Row(
            name: name,
            figure: "\(Report.ns(measured.nanoseconds)), \(Report.count(measured.allocations)) allocations",
            target: "under \(Report.ns(limit)), \(Report.count(allocations)) allocations",
            isMet: measured.nanoseconds < limit && measured.allocations <= allocations,
            alternative:
                "objects, encoded later: \(Report.ns(other.nanoseconds)), \(Report.count(other.allocations)) allocations; "
                + Report.times(other.nanoseconds / measured.nanoseconds))
    }
}
