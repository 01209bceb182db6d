import Astrolabe
import AstrolabeTelemetryModel
import AstrolabeWire
import BenchmarkSubjects
import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// The cost of writing a record to the journal, and of sending it from there.
enum JournalRows {
    /// The number of records between two calls of `maintain`: a little less than four prepared segments of 256 KiB
    /// hold.
    private static let burst = 1_500

    static func measure() throws -> [Row] {
        let folder = try BenchmarkFolder()
        let span = Workload.encodedSpan()
        let journal = try JournalSubject(directory: folder.path("journal"))
        return [
            try append(span, to: journal, beside: folder.path("log")),
            try request(of: span, from: journal),
        ]
    }

    private static func append(_ span: [UInt8], to journal: JournalSubject, beside path: String) throws -> Row {
        var refused = 0
        let appended = Measurement.of(count: burst, rounds: 201) {
            while journal.drain(4_096, { _ in }) > 0 {}
            journal.maintain()
        } _: {
            if !span.withUnsafeBytes({ journal.append($0, time: 1) }) { refused += 1 }
        }
        guard refused == 0 else { throw BenchmarkFailure("the journal rejected \(refused) records") }

        let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(file) }
        var failed = 0
        let written = Measurement.of(count: burst, rounds: 201) {
            ftruncate(file, 0)
        } _: {
            if span.withUnsafeBytes({ write(file, $0.baseAddress, $0.count) }) != span.count { failed += 1 }
        }
        guard failed == 0 else { throw BenchmarkFailure("\(failed) records could not be written to \(path)") }
        return Row(
            name: "that span, \(span.count) bytes, written to the journal",
            figure: "\(Report.ns(appended.nanoseconds)), \(Report.count(appended.allocations)) allocations",
            target: "under 200 ns, 0 allocations",
            isMet: appended.nanoseconds < 200 && appended.allocations == 0,
            alternative: "one write call each: \(Report.ns(written.nanoseconds)); "
                + Report.times(written.nanoseconds / appended.nanoseconds),
        )
    }

    private static func request(of span: [UInt8], from journal: JournalSubject) throws -> Row {
        let resource = EncodedResource(Resource(attributes: ["service.name": "benchmark"]))
        let scope = EncodedScope(InstrumentationScope(name: Workload.scope))
        var request: [UInt8] = []
        let built = Measurement.of(count: 1, rounds: 401) {
            while journal.drain(4_096, { _ in }) > 0 {}
            journal.maintain()
            for _ in 0..<Workload.batchSize { _ = span.withUnsafeBytes { journal.append($0, time: 1) } }
        } _: {
            var records = EncodedRecords()
            _ = journal.drain(Workload.batchSize) { records.append($0) }
            request = ExportRequest.build(resource: resource, scopes: [(scope, records)])
        }
        guard request.count > Workload.batchSize * span.count else {
            throw BenchmarkFailure("expected \(Workload.batchSize) records from the journal for a request; found fewer")
        }
        let finished = (0..<Workload.batchSize).map { _ in ObjectModelSpan.record() }
        var reencoded = 0
        let encoded = Measurement.of(count: 20) { reencoded = finished.reduce(0) { $0 + $1.encoded().count } }
        let rate = Double(request.count) / built.nanoseconds
        let otherRate = Double(reencoded) / encoded.nanoseconds
        return Row(
            name: "request of 512 spans, leased, built and acknowledged in the journal", figure: Report.gigabytes(rate),
            target: "at least 0.5 GB/s", isMet: rate >= 0.5,
            alternative: "encoded from objects: \(Report.gigabytes(otherRate)); \(Report.times(rate / otherRate))",
        )
    }
}

/// A folder that is removed when its last reference is released.
final class BenchmarkFolder {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("benchmark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// The bytes of all files at any depth.
    var size: Int {
        let names = FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []
        return names.reduce(0) { sum, name in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path(name))
            guard attributes?[.type] as? FileAttributeType == .typeRegular else { return sum }
            return sum + ((attributes?[.size] as? Int) ?? 0)
        }
    }
}
