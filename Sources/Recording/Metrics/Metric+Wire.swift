import AstrolabeTelemetryModel
import AstrolabeWire

/// Writes `opentelemetry.proto.metrics.v1.Metric`.
extension MetricData {
    var wireSize: Int {
        let dataSize = data.wireSize
        return WireSize.field(name) + (description.isEmpty ? 0 : WireSize.field(description))
            + (unit.isEmpty ? 0 : WireSize.field(unit)) + (dataSize == 0 ? 0 : WireSize.field(size: dataSize))
    }

    func write(to writer: inout WireWriter) {
        writer.field(MetricField.name, name)
        if !description.isEmpty { writer.field(MetricField.description, description) }
        if !unit.isEmpty { writer.field(MetricField.unit, unit) }
        let dataSize = data.wireSize
        if dataSize > 0 {
            writer.header(data.field, size: dataSize)
            data.write(to: &writer)
        }
    }
}

/// Writes `Gauge`, `Sum`, `Histogram` and `ExponentialHistogram`.
extension MetricData.Points {
    var field: UInt32 {
        switch self {
        case .gauge, .summary, .unknown: MetricField.gauge
        case .sum: MetricField.sum
        case .histogram: MetricField.histogram
        case .exponentialHistogram: MetricField.exponentialHistogram
        }
    }

    var wireSize: Int {
        switch self {
        case .gauge(let points): Self.size(points.map(\.wireSize))
        case .sum(let points, let temporality, let isMonotonic):
            Self.size(points.map(\.wireSize)) + (temporality == nil ? 0 : 2) + (isMonotonic ? 2 : 0)
        case .histogram(let points, let temporality):
            Self.size(points.map(\.wireSize)) + (temporality == nil ? 0 : 2)
        case .exponentialHistogram(let points, let temporality):
            Self.size(points.map(\.wireSize)) + (temporality == nil ? 0 : 2)
        // The SDK records none of these.
        case .summary, .unknown: 0
        }
    }

    func write(to writer: inout WireWriter) {
        switch self {
        case .gauge(let points):
            for point in points { point.writeField(to: &writer) }
        case .sum(let points, let temporality, let isMonotonic):
            for point in points { point.writeField(to: &writer) }
            Self.write(temporality, to: &writer)
            if isMonotonic { writer.varint(PointsField.isMonotonic, 1) }
        case .histogram(let points, let temporality):
            for point in points {
                writer.header(PointsField.dataPoints, size: point.wireSize)
                point.write(to: &writer)
            }
            Self.write(temporality, to: &writer)
        case .exponentialHistogram(let points, let temporality):
            for point in points {
                writer.header(PointsField.dataPoints, size: point.wireSize)
                point.write(to: &writer)
            }
            Self.write(temporality, to: &writer)
        case .summary, .unknown: break
        }
    }

    private static func size(_ points: [Int]) -> Int {
        points.reduce(0) { $0 + WireSize.field(size: $1) }
    }

    private static func write(_ temporality: AggregationTemporality?, to writer: inout WireWriter) {
        guard let temporality else { return }
        writer.varint(PointsField.temporality, UInt64(temporality.rawValue))
    }
}

/// Writes `NumberDataPoint`.
extension NumberPoint {
    var wireSize: Int {
        (startTimeUnixNano == 0 ? 0 : 9) + 9 + 9 + exemplars.wireSize + attributes.wireSize
    }

    func writeField(to writer: inout WireWriter) {
        writer.header(PointsField.dataPoints, size: wireSize)
        if startTimeUnixNano > 0 { writer.fixed64(NumberPointField.startTime, startTimeUnixNano) }
        writer.fixed64(NumberPointField.time, timeUnixNano)
        switch value {
        case .double(let number): writer.double(NumberPointField.double, number)
        case .int(let number): writer.fixed64(NumberPointField.int, UInt64(bitPattern: number))
        }
        exemplars.write(as: NumberPointField.exemplars, to: &writer)
        attributes.write(as: NumberPointField.attributes, to: &writer)
    }
}

/// Writes `HistogramDataPoint`.
extension HistogramPoint {
    var wireSize: Int {
        let optional = [sum, min, max].reduce(0) { $0 + ($1 == nil ? 0 : 9) }
        return (startTimeUnixNano == 0 ? 0 : 9) + 9 + 9 + optional + Self.packed(bucketCounts.count)
            + Self.packed(explicitBounds.count) + exemplars.wireSize + attributes.wireSize
    }

    func write(to writer: inout WireWriter) {
        if startTimeUnixNano > 0 { writer.fixed64(HistogramPointField.startTime, startTimeUnixNano) }
        writer.fixed64(HistogramPointField.time, timeUnixNano)
        writer.fixed64(HistogramPointField.count, count)
        Self.write(HistogramPointField.sum, sum, to: &writer)
        if !bucketCounts.isEmpty {
            writer.header(HistogramPointField.bucketCounts, size: bucketCounts.count * 8)
            for count in bucketCounts { writer.fixed64(count) }
        }
        if !explicitBounds.isEmpty {
            writer.header(HistogramPointField.explicitBounds, size: explicitBounds.count * 8)
            for bound in explicitBounds { writer.fixed64(bound.bitPattern) }
        }
        exemplars.write(as: HistogramPointField.exemplars, to: &writer)
        attributes.write(as: HistogramPointField.attributes, to: &writer)
        Self.write(HistogramPointField.min, min, to: &writer)
        Self.write(HistogramPointField.max, max, to: &writer)
    }

    private static func packed(_ count: Int) -> Int {
        count == 0 ? 0 : WireSize.field(size: count * 8)
    }

    private static func write(_ field: UInt32, _ value: Double?, to writer: inout WireWriter) {
        guard let value else { return }
        writer.double(field, value)
    }
}
