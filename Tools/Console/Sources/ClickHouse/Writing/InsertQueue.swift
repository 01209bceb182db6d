import ConsoleModel
import NIOCore

/// Inserts the rows of several requests into one table at once, and resumes each request when its rows are stored.
///
/// ClickHouse makes a file for each insert, so few large inserts are cheaper than many small ones. While one insert is
/// on its way, the rows of further requests wait for the next.
actor InsertQueue {
    struct Limits: Sendable {
        /// The largest number of rows that wait, over all requests. The default is 262,144.
        var waitingRows = 262_144
        /// The number of rows from which an insert takes no further request. The default is 65,536.
        var rowsPerInsert = 65_536
    }

    private struct Request {
        let rows: ByteBuffer
        let count: Int
        let done: CheckedContinuation<Void, any Error>
    }

    private let table: OTelTable
    private let client: ClickHouseClient
    private let limits: Limits
    private var waiting: [Request] = []
    private var waitingRows = 0
    private var isInserting = false

    init(_ table: OTelTable, _ client: ClickHouseClient, limits: Limits = Limits()) {
        self.table = table
        self.client = client
        self.limits = limits
    }

    /// Waits until rows are stored.
    ///
    /// A cancelled caller still waits, because its rows are being inserted.
    ///
    /// - Throws: `StoreError.queueFull` immediately, or the `ClickHouseError` of the last attempt.
    func insert(_ rows: ByteBuffer, count: Int) async throws {
        guard count > 0 else { return }
        guard waitingRows + count <= limits.waitingRows || waiting.isEmpty else {
            throw StoreError.queueFull(waiting: waitingRows, limit: limits.waitingRows)
        }
        try await withCheckedThrowingContinuation { continuation in
            waiting.append(Request(rows: rows, count: count, done: continuation))
            waitingRows += count
            if !isInserting {
                isInserting = true
                Task { await run() }
            }
        }
    }

    private func run() async {
        while !waiting.isEmpty {
            let group = takeGroup()
            var rows = ByteBuffer()
            for request in group { rows.writeImmutableBuffer(request.rows) }
            do {
                try await client.insert(into: table, rows: rows, token: Self.token(of: rows))
                for request in group { request.done.resume() }
            } catch {
                for request in group { request.done.resume(throwing: error) }
            }
        }
        isInserting = false
    }

    private func takeGroup() -> [Request] {
        var count = 0
        let group = waiting.prefix { request in
            defer { count += request.count }
            return count == 0 || count + request.count <= limits.rowsPerInsert
        }
        waiting.removeFirst(group.count)
        waitingRows -= group.reduce(0) { $0 + $1.count }
        return Array(group)
    }

    /// A hash of the rows, so that the same rows have the same token in a later run too.
    static func token(of rows: ByteBuffer) -> String {
        let hash = rows.withUnsafeReadableBytes { StableHash($0) }
        return [hash.high, hash.low].map { String($0, radix: 16) }.joined(separator: "-")
    }
}
