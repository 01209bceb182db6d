import AstrolabeTelemetryModel
import AstrolabeWire

/// Writes `ExponentialHistogramDataPoint`.
extension ExponentialHistogramPoint {
    private typealias Field = ExponentialHistogramPointField

    var wireSize: Int {
        let optional = [sum, min, max].reduce(0) { $0 + ($1 == nil ? 0 : 9) }
        return attributes.wireSize + (startTimeUnixNano == 0 ? 0 : 9) + 9 + 9 + optional
            + (scale == 0 ? 0 : 1 + WireSize.varint(scale.zigzag)) + (zeroCount == 0 ? 0 : 9)
            + (positive.isEmpty ? 0 : WireSize.field(size: positive.wireSize))
            + (negative.isEmpty ? 0 : WireSize.field(size: negative.wireSize))
            + (zeroThreshold == 0 ? 0 : 9) + exemplars.wireSize
    }

    func write(to writer: inout WireWriter) {
        attributes.write(as: Field.attributes, to: &writer)
        if startTimeUnixNano > 0 { writer.fixed64(Field.startTime, startTimeUnixNano) }
        writer.fixed64(Field.time, timeUnixNano)
        writer.fixed64(Field.count, count)
        if let sum { writer.double(Field.sum, sum) }
        if scale != 0 { writer.varint(Field.scale, scale.zigzag) }
        if zeroCount > 0 { writer.fixed64(Field.zeroCount, zeroCount) }
        if !positive.isEmpty {
            writer.header(Field.positive, size: positive.wireSize)
            positive.write(to: &writer)
        }
        if !negative.isEmpty {
            writer.header(Field.negative, size: negative.wireSize)
            negative.write(to: &writer)
        }
        exemplars.write(as: Field.exemplars, to: &writer)
        if let min { writer.double(Field.min, min) }
        if let max { writer.double(Field.max, max) }
        if zeroThreshold != 0 { writer.double(Field.zeroThreshold, zeroThreshold) }
    }
}

extension ExponentialHistogramPoint.Buckets {
    fileprivate var isEmpty: Bool { offset == 0 && counts.isEmpty }

    private var countsSize: Int { counts.reduce(0) { $0 + WireSize.varint($1) } }

    fileprivate var wireSize: Int {
        (offset == 0 ? 0 : 1 + WireSize.varint(offset.zigzag))
            + (counts.isEmpty ? 0 : WireSize.field(size: countsSize))
    }

    fileprivate func write(to writer: inout WireWriter) {
        if offset != 0 { writer.varint(ExponentialBucketsField.offset, offset.zigzag) }
        guard !counts.isEmpty else { return }
        writer.header(ExponentialBucketsField.counts, size: countsSize)
        for count in counts { writer.varint(count) }
    }
}

extension Int32 {
    /// The number as protobuf's `sint32`.
    fileprivate var zigzag: UInt64 {
        UInt64(UInt32(bitPattern: (self << 1) ^ (self >> 31)))
    }
}
