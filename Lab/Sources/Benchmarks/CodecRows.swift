import Astrolabe
import AstrolabeOTLP
import AstrolabeTelemetryModel
import AstrolabeWire
import CAllocations

/// The cost of building, sending and reading requests.
enum CodecRows {
    static func measure() throws -> [Row] {
        let sink = CollectingSink()
        let tracer = Workload.telemetry(into: sink).tracer(Workload.scope)
        for _ in 0..<Workload.batchSize { Workload.record(with: tracer) }
        let resource = EncodedResource(Resource(attributes: ["service.name": "benchmark"]))
        let scope = EncodedScope(InstrumentationScope(name: Workload.scope))
        let bytes = sink.bytes
        var request: [UInt8] = []
        let build = Measurement.of(count: 200) {
            var records = EncodedRecords()
            for record in bytes { record.withUnsafeBytes { records.append($0) } }
            request = ExportRequest.build(resource: resource, scopes: [(scope, records)])
        }
        let finished = (0..<Workload.batchSize).map { _ in ObjectModelSpan.record() }
        var reencoded = 0
        let encode = Measurement.of(count: 20) { reencoded = finished.reduce(0) { $0 + $1.encoded().count } }
        let rate = Double(request.count) / build.nanoseconds
        let otherRate = Double(reencoded) / encode.nanoseconds
        var spans = 0
        let decode = try Measurement.of(count: 100) {
            spans = try OTLPDecoder.traces(protobuf: request).reduce(0) { $0 + $1.recordCount }
        }
        let perSpan = decode.nanoseconds / Double(spans)
        let wire =
            Double(request.withUnsafeBytes { gzip_size($0.baseAddress, UInt($0.count)) }) / Double(Workload.batchSize)
        return [
            Row(
                name: "request of 512 spans, built from encoded spans", figure: Report.gigabytes(rate),
                target: "at least 0.5 GB/s",
                isMet: rate >= 0.5,
                alternative: "encoded from objects: \(Report.gigabytes(otherRate)); \(Report.times(rate / otherRate))",
            ),
            Row(
                name: "request of 512 spans, decoded, per span",
                figure:
                    "\(Report.ns(perSpan)), \(Report.count((decode.allocations / Double(spans) * 10).rounded() / 10)) allocations",
                target: "under 1000 ns", isMet: perSpan < 1_000,
                alternative: "recording the same span: see the first row"),
            Row(
                name: "bytes on the wire per span, batch of 512",
                figure: "\(Report.count((wire * 10).rounded() / 10)) bytes",
                target: "under 50 bytes", isMet: wire < 50,
                alternative: "uncompressed: \(request.count / Workload.batchSize) bytes"),
        ]
    }
}
