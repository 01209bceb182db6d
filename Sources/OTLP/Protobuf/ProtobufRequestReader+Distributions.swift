import AstrolabeTelemetryModel
import AstrolabeWire

/// Reads exponential histograms, summaries and exemplars.
extension ProtobufRequestReader {
    mutating func exponentialHistogramPoint(
        _ message: ProtobufReader
    ) throws(OTLPDecodingError) -> ExponentialHistogramPoint? {
        typealias Number = ExponentialHistogramPointField
        var message = message
        let start = message
        var point = ExponentialHistogramPointBuilder()
        while let field = try message.nextField() {
            do {
                switch field.number {
                case Number.attributes: try attribute(&message, field, into: &point.attributes)
                case Number.startTime: point.startTimeUnixNano = try message.fixed64(field)
                case Number.time: point.timeUnixNano = try message.fixed64(field)
                case Number.count: point.count = try message.fixed64(field)
                case Number.sum: point.sum = try message.double(field)
                case Number.scale: point.scale = try message.sint32(field)
                case Number.zeroCount: point.zeroCount = try message.fixed64(field)
                case Number.positive: try buckets(message.payload(field), into: &point.positive)
                case Number.negative: try buckets(message.payload(field), into: &point.negative)
                case Number.flags: point.flags = try message.uint32(field)
                case Number.exemplars: try exemplar(&message, field, into: &point.exemplars)
                case Number.min: point.min = try message.double(field)
                case Number.max: point.max = try message.double(field)
                case Number.zeroThreshold: point.zeroThreshold = try message.double(field)
                default: try message.skip(field)
                }
            } catch {
                throw error.within(field, of: .exponentialHistogramPoint, in: start)
            }
        }
        return point.finish(&budget)
    }

    private mutating func buckets(
        _ message: ProtobufReader, into buckets: inout ExponentialHistogramPoint.Buckets,
    ) throws(OTLPDecodingError) {
        var message = message
        let start = message
        while let field = try message.nextField() {
            do {
                switch field.number {
                case ExponentialBucketsField.offset: buckets.offset = try message.sint32(field)
                case ExponentialBucketsField.counts where field.wireType == .delimited:
                    var packed = try message.payload(field)
                    while let count = try packed.nextPackedVarint() {
                        try budget.append(count, to: &buckets.counts, at: field.offset)
                    }
                case ExponentialBucketsField.counts:
                    try budget.append(message.varint(field), to: &buckets.counts, at: field.offset)
                default: try message.skip(field)
                }
            } catch {
                throw error.within(field, of: .exponentialBuckets, in: start)
            }
        }
    }

    mutating func summaryPoint(_ message: ProtobufReader) throws(OTLPDecodingError) -> SummaryPoint? {
        var message = message
        let start = message
        var point = SummaryPointBuilder()
        while let field = try message.nextField() {
            do {
                switch field.number {
                case SummaryPointField.startTime: point.startTimeUnixNano = try message.fixed64(field)
                case SummaryPointField.time: point.timeUnixNano = try message.fixed64(field)
                case SummaryPointField.count: point.count = try message.fixed64(field)
                case SummaryPointField.sum: point.sum = try message.double(field)
                case SummaryPointField.quantiles:
                    try reserve(&point.quantiles, for: field, in: message)
                    let quantile = try quantile(message.payload(field))
                    try budget.append(quantile, to: &point.quantiles, at: field.offset)
                case SummaryPointField.attributes: try attribute(&message, field, into: &point.attributes)
                case SummaryPointField.flags: point.flags = try message.uint32(field)
                default: try message.skip(field)
                }
            } catch {
                throw error.within(field, of: .summaryPoint, in: start)
            }
        }
        return point.finish(&budget)
    }

    private mutating func quantile(_ message: ProtobufReader) throws(OTLPDecodingError) -> SummaryPoint.Quantile {
        var message = message
        let start = message
        var quantile = SummaryPoint.Quantile(quantile: 0, value: 0)
        while let field = try message.nextField() {
            do {
                switch field.number {
                case QuantileField.quantile: quantile.quantile = try message.double(field)
                case QuantileField.value: quantile.value = try message.double(field)
                default: try message.skip(field)
                }
            } catch {
                throw error.within(field, of: .quantile, in: start)
            }
        }
        return quantile
    }

    mutating func exemplar(
        _ message: inout ProtobufReader, _ field: ProtobufReader.Field, into exemplars: inout [Exemplar],
    ) throws(OTLPDecodingError) {
        try reserve(&exemplars, for: field, in: message)
        try budget.append(exemplar(message.payload(field)), to: &exemplars, at: field.offset)
    }

    private mutating func exemplar(_ message: ProtobufReader) throws(OTLPDecodingError) -> Exemplar {
        var message = message
        let start = message
        var exemplar = ExemplarBuilder()
        while let field = try message.nextField() {
            do {
                switch field.number {
                case ExemplarField.time: exemplar.timeUnixNano = try message.fixed64(field)
                case ExemplarField.double: exemplar.value = .double(try message.double(field))
                case ExemplarField.int: exemplar.value = .int(Int64(bitPattern: try message.fixed64(field)))
                case ExemplarField.spanID: exemplar.spanID = try SpanID(protobuf: message.payload(field))
                case ExemplarField.traceID: exemplar.traceID = try TraceID(protobuf: message.payload(field))
                case ExemplarField.filteredAttributes:
                    try attribute(&message, field, into: &exemplar.filteredAttributes)
                default: try message.skip(field)
                }
            } catch {
                throw error.within(field, of: .exemplar, in: start)
            }
        }
        return exemplar.finish(&budget)
    }
}
