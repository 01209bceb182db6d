import AstrolabeTelemetryModel
import AstrolabeWire

/// Writes `opentelemetry.proto.metrics.v1.Exemplar`, repeated.
extension [Exemplar] {
    /// The size of all of them as repeated fields below 16.
    var wireSize: Int {
        reduce(0) { $0 + WireSize.field(size: $1.wireSize) }
    }

    /// Writes each as this field.
    func write(as field: UInt32, to writer: inout WireWriter) {
        for exemplar in self {
            writer.header(field, size: exemplar.wireSize)
            exemplar.write(to: &writer)
        }
    }
}

extension Exemplar {
    fileprivate var wireSize: Int {
        9 + (value == nil ? 0 : 9) + (spanID.isValid ? WireSize.field(size: 8) : 0)
            + (traceID.isValid ? WireSize.field(size: 16) : 0) + filteredAttributes.wireSize
    }

    fileprivate func write(to writer: inout WireWriter) {
        typealias Field = ExemplarField
        writer.fixed64(Field.time, timeUnixNano)
        switch value {
        case .double(let number)?: writer.double(Field.double, number)
        case .int(let number)?: writer.fixed64(Field.int, UInt64(bitPattern: number))
        case nil: break
        }
        if spanID.isValid {
            writer.header(Field.spanID, size: 8)
            writer.bigEndian64(spanID.value)
        }
        if traceID.isValid {
            writer.header(Field.traceID, size: 16)
            writer.bigEndian64(traceID.high)
            writer.bigEndian64(traceID.low)
        }
        filteredAttributes.write(as: Field.filteredAttributes, to: &writer)
    }
}
