import AstrolabeWire

@testable import AstrolabeRecording

extension UnfinishedSpan {
    /// The fields of a finished span without its end time, as a crash handler would have copied them.
    static func fields(ofFinished record: [UInt8]) -> [UInt8]? {
        record.withUnsafeBytes { bytes in
            var fields: [UInt8] = []
            var reader = WireReader(bytes)
            var start = 0
            while let next = reader.next() {
                let end = bytes.count - reader.remaining
                if next.field != SpanField.endTime { fields += bytes[start..<end] }
                start = end
            }
            return reader.isIntact ? fields : nil
        }
    }
}
