import AstrolabeOTLP
import AstrolabeTelemetryModel

/// `opentelemetry.proto.metrics.v1.Metric`: name 1, description 2, unit 3, gauge 5, sum 7, histogram 9.
extension MetricData {
    var wireSize: Int {
        let dataSize = data.wireSize
        return WireSize.field(name) + (description.isEmpty ? 0 : WireSize.field(description))
            + (unit.isEmpty ? 0 : WireSize.field(unit)) + (dataSize == 0 ? 0 : 1 + WireSize.delimited(dataSize))
    }

    func write(to writer: inout WireWriter) {
        writer.field(0x0A, name)
        if !description.isEmpty { writer.field(0x12, description) }
        if !unit.isEmpty { writer.field(0x1A, unit) }
        let dataSize = data.wireSize
        if dataSize > 0 {
            writer.header(data.tag, size: dataSize)
            data.write(to: &writer)
        }
    }
}

/// `Gauge`: points 1. `Sum`: points 1, temporality 2, monotonic 3. `Histogram`: points 1, temporality 2.
extension MetricData.Points {
    var tag: UInt8 {
        switch self {
        case .gauge, .unsupported: 0x2A
        case .sum: 0x3A
        case .histogram: 0x4A
        }
    }

    var wireSize: Int {
        switch self {
        case .gauge(let points): Self.size(points.map(\.wireSize))
        case .sum(let points, let temporality, let isMonotonic):
            Self.size(points.map(\.wireSize)) + (temporality == nil ? 0 : 2) + (isMonotonic ? 2 : 0)
        case .histogram(let points, let temporality):
            Self.size(points.map(\.wireSize)) + (temporality == nil ? 0 : 2)
        case .unsupported: 0
        }
    }

    func write(to writer: inout WireWriter) {
        switch self {
        case .gauge(let points):
            for point in points { point.writeField(to: &writer) }
        case .sum(let points, let temporality, let isMonotonic):
            for point in points { point.writeField(to: &writer) }
            Self.write(temporality, to: &writer)
            if isMonotonic {
                writer.byte(0x18)
                writer.byte(1)
            }
        case .histogram(let points, let temporality):
            for point in points {
                writer.header(0x0A, size: point.wireSize)
                point.write(to: &writer)
            }
            Self.write(temporality, to: &writer)
        case .unsupported: break
        }
    }

    private static func size(_ points: [Int]) -> Int {
        points.reduce(0) { $0 + 1 + WireSize.delimited($1) }
    }

    private static func write(_ temporality: AggregationTemporality?, to writer: inout WireWriter) {
        guard let temporality else { return }
        writer.byte(0x10)
        writer.byte(UInt8(temporality.rawValue))
    }
}

/// `NumberDataPoint`: start 2, time 3, double 4, integer 6, attributes 7.
extension NumberPoint {
    var wireSize: Int {
        (startTimeUnixNano == 0 ? 0 : 9) + 9 + 9 + attributes.wireSize
    }

    func writeField(to writer: inout WireWriter) {
        writer.header(0x0A, size: wireSize)
        if startTimeUnixNano > 0 {
            writer.byte(0x11)
            writer.fixed64(startTimeUnixNano)
        }
        writer.byte(0x19)
        writer.fixed64(timeUnixNano)
        switch value {
        case .double(let number):
            writer.byte(0x21)
            writer.fixed64(number.bitPattern)
        case .int(let number):
            writer.byte(0x31)
            writer.fixed64(UInt64(bitPattern: number))
        }
        attributes.write(tag: 0x3A, to: &writer)
    }
}

/// `HistogramDataPoint`: start 2, time 3, count 4, sum 5, bucket counts 6, bounds 7, attributes 9, min 11, max 12.
extension HistogramPoint {
    var wireSize: Int {
        let optional = [sum, min, max].reduce(0) { $0 + ($1 == nil ? 0 : 9) }
        return (startTimeUnixNano == 0 ? 0 : 9) + 9 + 9 + optional + Self.packed(bucketCounts.count)
            + Self.packed(explicitBounds.count) + attributes.wireSize
    }

    func write(to writer: inout WireWriter) {
        if startTimeUnixNano > 0 {
            writer.byte(0x11)
            writer.fixed64(startTimeUnixNano)
        }
        writer.byte(0x19)
        writer.fixed64(timeUnixNano)
        writer.byte(0x21)
        writer.fixed64(count)
        Self.write(0x29, sum, to: &writer)
        if !bucketCounts.isEmpty {
            writer.header(0x32, size: bucketCounts.count * 8)
            for count in bucketCounts { writer.fixed64(count) }
        }
        if !explicitBounds.isEmpty {
            writer.header(0x3A, size: explicitBounds.count * 8)
            for bound in explicitBounds { writer.fixed64(bound.bitPattern) }
        }
        attributes.write(tag: 0x4A, to: &writer)
        Self.write(0x59, min, to: &writer)
        Self.write(0x61, max, to: &writer)
    }

    private static func packed(_ count: Int) -> Int {
        count == 0 ? 0 : 1 + WireSize.delimited(count * 8)
    }

    private static func write(_ tag: UInt8, _ value: Double?, to writer: inout WireWriter) {
        guard let value else { return }
        writer.byte(tag)
        writer.fixed64(value.bitPattern)
    }
}
