import AstrolabeTelemetryModel
import AstrolabeWire

extension MetricData: OTLPRecord {
    static let protobufNames = (resources: "resource_metrics", scopes: "scope_metrics", records: "metrics")

    static func read(
        _ message: ProtobufReader, with reader: inout ProtobufRequestReader,
    ) throws(OTLPDecodingError) -> MetricData {
        try reader.metric(message)
    }
}

extension ProtobufRequestReader {
    fileprivate mutating func metric(_ message: ProtobufReader) throws(OTLPDecodingError) -> MetricData {
        var message = message
        let start = message
        var metric = MetricBuilder()
        while let field = try message.nextField() {
            do {
                switch field.number {
                case MetricField.name: metric.name = try text(message.payload(field))
                case MetricField.description: metric.description = try text(message.payload(field))
                case MetricField.unit: metric.unit = try text(message.payload(field))
                case MetricField.gauge: try points(message.payload(field), of: .gauge, into: &metric)
                case MetricField.sum: try points(message.payload(field), of: .sum, into: &metric)
                case MetricField.histogram: try points(message.payload(field), of: .histogram, into: &metric)
                case MetricField.exponentialHistogram:
                    try points(message.payload(field), of: .exponentialHistogram, into: &metric)
                case MetricField.summary: try points(message.payload(field), of: .summary, into: &metric)
                case MetricField.metadata: try attribute(&message, field, into: &metric.metadata)
                default: try message.skip(field)
                }
            } catch {
                throw error.within(field, of: .metric, in: start)
            }
        }
        return metric.finish(&budget)
    }

    /// `Gauge`, `Sum`, `Histogram`, `ExponentialHistogram` and `Summary` number their fields alike.
    private mutating func points(
        _ message: ProtobufReader, of kind: MetricBuilder.Kind, into metric: inout MetricBuilder,
    ) throws(OTLPDecodingError) {
        var message = message
        let start = message
        metric.begin(kind)
        while let field = try message.nextField() {
            do {
                switch (field.number, kind) {
                case (PointsField.dataPoints, .gauge), (PointsField.dataPoints, .sum):
                    try reserve(&metric.numberPoints, for: field, in: message)
                    if let point = try numberPoint(message.payload(field)) {
                        try budget.append(point, to: &metric.numberPoints, at: field.offset)
                    }
                case (PointsField.dataPoints, .histogram):
                    try reserve(&metric.histogramPoints, for: field, in: message)
                    if let point = try histogramPoint(message.payload(field)) {
                        try budget.append(point, to: &metric.histogramPoints, at: field.offset)
                    }
                case (PointsField.dataPoints, .exponentialHistogram):
                    try reserve(&metric.exponentialHistogramPoints, for: field, in: message)
                    if let point = try exponentialHistogramPoint(message.payload(field)) {
                        try budget.append(point, to: &metric.exponentialHistogramPoints, at: field.offset)
                    }
                case (PointsField.dataPoints, .summary):
                    try reserve(&metric.summaryPoints, for: field, in: message)
                    if let point = try summaryPoint(message.payload(field)) {
                        try budget.append(point, to: &metric.summaryPoints, at: field.offset)
                    }
                case (PointsField.temporality, .sum), (PointsField.temporality, .histogram),
                    (PointsField.temporality, .exponentialHistogram):
                    metric.temporality = try message.int32(field)
                case (PointsField.isMonotonic, .sum): metric.isMonotonic = try message.bool(field)
                default: try message.skip(field)
                }
            } catch {
                throw error.within(field, of: .points, in: start)
            }
        }
    }

    private mutating func numberPoint(_ message: ProtobufReader) throws(OTLPDecodingError) -> NumberPoint? {
        var message = message
        let start = message
        var point = NumberPointBuilder()
        while let field = try message.nextField() {
            do {
                switch field.number {
                case NumberPointField.startTime: point.startTimeUnixNano = try message.fixed64(field)
                case NumberPointField.time: point.timeUnixNano = try message.fixed64(field)
                case NumberPointField.double: point.value = .double(try message.double(field))
                case NumberPointField.int: point.value = .int(Int64(bitPattern: try message.fixed64(field)))
                case NumberPointField.attributes: try attribute(&message, field, into: &point.attributes)
                case NumberPointField.flags: point.flags = try message.uint32(field)
                case NumberPointField.exemplars: try exemplar(&message, field, into: &point.exemplars)
                default: try message.skip(field)
                }
            } catch {
                throw error.within(field, of: .numberPoint, in: start)
            }
        }
        return point.finish(&budget)
    }

    private mutating func histogramPoint(_ message: ProtobufReader) throws(OTLPDecodingError) -> HistogramPoint? {
        var message = message
        let start = message
        var point = HistogramPointBuilder()
        while let field = try message.nextField() {
            do {
                switch field.number {
                case HistogramPointField.startTime: point.startTimeUnixNano = try message.fixed64(field)
                case HistogramPointField.time: point.timeUnixNano = try message.fixed64(field)
                case HistogramPointField.count: point.count = try message.fixed64(field)
                case HistogramPointField.sum: point.sum = try message.double(field)
                case HistogramPointField.bucketCounts: try numbers(&message, field, into: &point.bucketCounts) { $0 }
                case HistogramPointField.explicitBounds:
                    try numbers(&message, field, into: &point.explicitBounds, Double.init(bitPattern:))
                case HistogramPointField.attributes: try attribute(&message, field, into: &point.attributes)
                case HistogramPointField.flags: point.flags = try message.uint32(field)
                case HistogramPointField.min: point.min = try message.double(field)
                case HistogramPointField.max: point.max = try message.double(field)
                case HistogramPointField.exemplars: try exemplar(&message, field, into: &point.exemplars)
                default: try message.skip(field)
                }
            } catch {
                throw error.within(field, of: .histogramPoint, in: start)
            }
        }
        return try point.finish(at: start.position, &budget)
    }

    /// A repeated 64-bit number, in either form that protobuf knows: all in one field, or each in its own.
    private mutating func numbers<Number>(
        _ message: inout ProtobufReader, _ field: ProtobufReader.Field, into numbers: inout [Number],
        _ convert: (UInt64) -> Number,
    ) throws(OTLPDecodingError) {
        guard field.wireType == .delimited else {
            try budget.append(convert(message.fixed64(field)), to: &numbers, at: field.offset)
            return
        }
        let packed = try message.payload(field)
        let count = packed.bytes.count / 8
        guard packed.bytes.count == count * 8 else {
            throw OTLPDecodingError(
                at: packed.position, "expected a multiple of 8 bytes, got \(packed.bytes.count)",
            )
        }
        if numbers.capacity == 0, count > 0 { try budget.grow(&numbers, by: count, at: field.offset) }
        for index in 0..<count {
            let bits = packed.bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)
            try budget.append(convert(UInt64(littleEndian: bits)), to: &numbers, at: field.offset)
        }
    }
}
