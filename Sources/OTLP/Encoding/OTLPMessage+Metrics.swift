import AstrolabeTelemetryModel
import AstrolabeWire

extension MetricData {
    func write(to message: inout some OTLPMessage) {
        message.text(MetricField.name, "name", name)
        message.text(MetricField.description, "description", description)
        message.text(MetricField.unit, "unit", unit)
        message.attributes(MetricField.metadata, "metadata", metadata)
        switch data {
        case .gauge(let points):
            message.message(MetricField.gauge, "gauge") { message in
                message.messages(PointsField.dataPoints, "dataPoints", points) { $0.write($1) }
            }
        case .sum(let points, let temporality, let isMonotonic):
            message.message(MetricField.sum, "sum") { message in
                message.messages(PointsField.dataPoints, "dataPoints", points) { $0.write($1) }
                message.write(temporality)
                message.bool(PointsField.isMonotonic, "isMonotonic", isMonotonic)
            }
        case .histogram(let points, let temporality):
            message.message(MetricField.histogram, "histogram") { message in
                message.messages(PointsField.dataPoints, "dataPoints", points) { $0.write($1) }
                message.write(temporality)
            }
        case .exponentialHistogram(let points, let temporality):
            message.message(MetricField.exponentialHistogram, "exponentialHistogram") { message in
                message.messages(PointsField.dataPoints, "dataPoints", points) { $0.write($1) }
                message.write(temporality)
            }
        case .summary(let points):
            message.message(MetricField.summary, "summary") { message in
                message.messages(PointsField.dataPoints, "dataPoints", points) { $0.write($1) }
            }
        case .unknown: break
        }
    }
}

extension OTLPMessage {
    fileprivate mutating func write(_ temporality: AggregationTemporality?) {
        int32(PointsField.temporality, "aggregationTemporality", temporality?.rawValue ?? 0)
    }

    fileprivate mutating func write(_ point: NumberPoint) {
        typealias Field = NumberPointField
        attributes(Field.attributes, "attributes", point.attributes)
        fixed64(Field.startTime, "startTimeUnixNano", point.startTimeUnixNano)
        fixed64(Field.time, "timeUnixNano", point.timeUnixNano)
        write(point.value, int: Field.int, double: Field.double)
        write(point.exemplars, as: Field.exemplars)
    }

    fileprivate mutating func write(_ point: HistogramPoint) {
        typealias Field = HistogramPointField
        attributes(Field.attributes, "attributes", point.attributes)
        fixed64(Field.startTime, "startTimeUnixNano", point.startTimeUnixNano)
        fixed64(Field.time, "timeUnixNano", point.timeUnixNano)
        fixed64(Field.count, "count", point.count)
        optional(Field.sum, "sum", point.sum)
        optional(Field.min, "min", point.min)
        optional(Field.max, "max", point.max)
        fixed64s(Field.bucketCounts, "bucketCounts", point.bucketCounts)
        doubles(Field.explicitBounds, "explicitBounds", point.explicitBounds)
        write(point.exemplars, as: Field.exemplars)
    }

    fileprivate mutating func write(_ point: ExponentialHistogramPoint) {
        typealias Field = ExponentialHistogramPointField
        attributes(Field.attributes, "attributes", point.attributes)
        fixed64(Field.startTime, "startTimeUnixNano", point.startTimeUnixNano)
        fixed64(Field.time, "timeUnixNano", point.timeUnixNano)
        fixed64(Field.count, "count", point.count)
        optional(Field.sum, "sum", point.sum)
        optional(Field.min, "min", point.min)
        optional(Field.max, "max", point.max)
        sint32(Field.scale, "scale", point.scale)
        fixed64(Field.zeroCount, "zeroCount", point.zeroCount)
        double(Field.zeroThreshold, "zeroThreshold", point.zeroThreshold)
        message(Field.positive, "positive") { $0.write(point.positive) }
        message(Field.negative, "negative") { $0.write(point.negative) }
        write(point.exemplars, as: Field.exemplars)
    }

    private mutating func write(_ buckets: ExponentialHistogramPoint.Buckets) {
        sint32(ExponentialBucketsField.offset, "offset", buckets.offset)
        varints(ExponentialBucketsField.counts, "bucketCounts", buckets.counts)
    }

    fileprivate mutating func write(_ point: SummaryPoint) {
        typealias Field = SummaryPointField
        attributes(Field.attributes, "attributes", point.attributes)
        fixed64(Field.startTime, "startTimeUnixNano", point.startTimeUnixNano)
        fixed64(Field.time, "timeUnixNano", point.timeUnixNano)
        fixed64(Field.count, "count", point.count)
        double(Field.sum, "sum", point.sum)
        messages(Field.quantiles, "quantileValues", point.quantiles) { message, quantile in
            message.double(QuantileField.quantile, "quantile", quantile.quantile)
            message.double(QuantileField.value, "value", quantile.value)
        }
    }

    private mutating func write(_ exemplars: [Exemplar], as number: UInt32) {
        messages(number, "exemplars", exemplars) { message, exemplar in
            typealias Field = ExemplarField
            message.attributes(Field.filteredAttributes, "filteredAttributes", exemplar.filteredAttributes)
            message.fixed64(Field.time, "timeUnixNano", exemplar.timeUnixNano)
            message.write(exemplar.value, int: Field.int, double: Field.double)
            message.id(Field.spanID, "spanId", exemplar.spanID)
            message.id(Field.traceID, "traceId", exemplar.traceID)
        }
    }

    private mutating func write(_ number: MetricNumber?, int: UInt32, double: UInt32) {
        switch number {
        case .int(let value)?: optional(int, "asInt", value)
        case .double(let value)?: optional(double, "asDouble", value)
        case nil: break
        }
    }
}
