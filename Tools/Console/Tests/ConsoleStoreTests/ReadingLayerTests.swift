import Foundation
import Testing

@testable import ConsoleModel
@testable import ConsoleStore

@Suite
struct ReadingLayerTests {
    /// GRDB's decoding traps on a value of another type. Only these files may use GRDB, and all of them write.
    @Test
    func `only files that write use GRDB, and all queries go through one connection`() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/ConsoleStore")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var users: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            if text.contains("import GRDB\n") { users.insert(file.lastPathComponent) }
            for call in ["Row.fetch", ".fetchOne(", ".fetchAll(", ".fetchCursor(", ".fetchSet("] {
                #expect(!text.contains(call), "\(file.lastPathComponent) calls \(call)")
            }
        }
        #expect(
            users == [
                "QueryConnection.swift", "SQLiteStore.swift", "StoreFile.swift", "Retention.swift",
                "SQLiteStore+HealthIssues.swift", "RawStatement.swift", "WriterStatements.swift",
                "WriterAccess.swift", "BatchWriter.swift", "SQLiteStore+Check.swift", "StoreCopy.swift",
                "SQLiteStore+Age.swift",
            ])
    }

    @Test
    func `a value of another type is absent, and a number out of range is clamped`() {
        let row = StoredRow([.text("7"), .real(1e300), .real(.nan), .blob, .null, .integer(-1), .integer(1 << 40)])
        #expect((0..<8).map(row.integer) == [0, .max, 0, 0, 0, -1, 1 << 40, 0])
        #expect((0..<8).map(row.text) == ["7", "", "", "", "", "", "", ""])
        #expect(row.nanoseconds(5) == 0)
        #expect(row.number(0) == nil)
        #expect(row.kind(6, as: OriginSide.self) == nil)
    }

    @Test
    func `arithmetic stops at the limits of its type`() {
        #expect(Int64.max.clampedSum(1) == .max)
        #expect(Int64.min.clampedSum(-1) == .min)
        #expect(Int64.min.clampedDifference(1) == .min)
        #expect(Int64.max.clampedDifference(-1) == .max)
        #expect(UInt64(1).clampedDifference(2) == 0)
        #expect(UInt64.max.clampedProduct(2) == .max)
        #expect(Int64(clamping: -1e300) == .min)
    }
}
