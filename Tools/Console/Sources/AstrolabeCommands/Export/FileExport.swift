import AstrolabeOTLP
import AstrolabePlatform
import ConsoleModel
import ConsoleStore
import Foundation
import TelemetryConsole

/// Writes the records of an export to a file, which appears at its path when it is complete.
struct FileExport {
    let export: StoreExport
    /// The signal of a protobuf file; `nil` for a JSON file with all signals.
    let signal: Signal?
    let path: String

    /// A request, and where the next one starts.
    private struct Request {
        let body: [UInt8]
        let records: Int
        let position: Int64
    }

    /// Writes the file and returns the number of its records.
    ///
    /// - Throws: `DemoFailure` if the file exists or cannot be written, or if there is no record to write; `StoreError`
    ///   if the database cannot be read. Then there is no file.
    func run() throws -> Int {
        let files = FileManager.default
        guard !files.fileExists(atPath: path) else { throw DemoFailure("\(path) exists; choose another file") }
        let partial = path + ".partial"
        try? files.removeItem(atPath: partial)
        // Only the owner may read telemetry.
        guard files.createFile(atPath: partial, contents: nil, attributes: [.posixPermissions: 0o600]),
            let file = FileHandle(forWritingAtPath: partial)
        else { throw DemoFailure("cannot write to \(path); check that its folder exists and is writable") }
        defer {
            try? file.close()
            try? files.removeItem(atPath: partial)
        }
        let records = try write(to: file)
        guard records > 0 else { throw DemoFailure("no record matches, so \(path) was not written") }
        do {
            try file.synchronize()
            try files.moveItem(atPath: partial, toPath: path)
        } catch {
            throw failure(error)
        }
        return records
    }

    private func write(to file: FileHandle) throws -> Int {
        var records = 0
        var shown = ContinuousClock.now
        let passes = self.passes
        for (index, next) in passes.enumerated() {
            var position: Int64 = 0
            while let request = try next(position) {
                try Task.checkCancellation()
                do {
                    try file.write(contentsOf: framed(request.body))
                } catch {
                    throw failure(error)
                }
                records += request.records
                position = request.position
                guard .now - shown > .seconds(1) else { continue }
                shown = .now
                let share = (Double(index) + Double(position) / Double(max(export.end, 1))) / Double(passes.count)
                sayError("\(path): \(Int(share * 100)) %, \(records) records")
            }
        }
        return records
    }

    private func framed(_ body: [UInt8]) -> Data {
        guard signal != nil else { return Data(body + [UInt8(ascii: "\n")]) }
        return Data(withUnsafeBytes(of: UInt32(clamping: body.count).bigEndian) { Array($0) } + body)
    }

    private func failure(_ error: any Error) -> DemoFailure {
        DemoFailure("cannot write to \(path): \(error.localizedDescription)")
    }

    /// The tables to export, each with a function that returns the request after a position.
    private var passes: [(Int64) throws -> Request?] {
        let isJSON = signal == nil
        func pass<Record>(
            _ page: @escaping (Int64) throws -> StoreExport.Page<Record>?,
            _ encode: @escaping ([ResourceGroup<Record>]) -> [UInt8],
        ) -> (Int64) throws -> Request? {
            { position in
                try page(position).map {
                    Request(body: encode($0.groups), records: $0.records, position: $0.position)
                }
            }
        }
        let traces = pass(export.spans) { isJSON ? OTLPEncoder.json($0) : OTLPEncoder.protobuf($0) }
        let logs = [export.logs, export.replays].map { page in
            pass(page) { isJSON ? OTLPEncoder.json($0) : OTLPEncoder.protobuf($0) }
        }
        let metrics = pass(export.metrics) { isJSON ? OTLPEncoder.json($0) : OTLPEncoder.protobuf($0) }
        return switch signal {
        case nil: [traces] + logs + [metrics]
        case .traces?: [traces]
        case .logs?: logs
        case .metrics?: [metrics]
        case .profiles?: []
        }
    }
}
