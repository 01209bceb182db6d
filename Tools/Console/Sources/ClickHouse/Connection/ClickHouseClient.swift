import Foundation
package import NIOCore

/// A client of ClickHouse's HTTP interface.
///
///     var statement = Statement("SELECT SpanName FROM otel_traces WHERE TraceId = ")
///     statement.text += statement.bind(id)
///     let names = try await client.rows(statement) { try $0.string() }
///
/// Answers are `RowBinary`. The server sends an answer only when it is complete, so an error is never a part of one.
package struct ClickHouseClient: Sendable {
    package let configuration: ClickHouseConfiguration

    package init(_ configuration: ClickHouseConfiguration) { self.configuration = configuration }

    /// Runs a statement that returns no rows.
    ///
    /// - Parameter inDatabase: `false` for a statement that makes the database.
    package func execute(_ statement: Statement, inDatabase: Bool = true) async throws {
        try await rows(statement, inDatabase: inDatabase) { reader in
            while !reader.isAtEnd { _ = try reader.integer(UInt8.self) }
        }
    }

    /// Runs a statement and decodes its rows while they arrive.
    ///
    /// - Parameter row: Reads exactly one row. It may be called again for a row that was not complete.
    /// - Throws: `ClickHouseError` or `CancellationError`.
    @discardableResult
    package func rows<Row: Sendable>(
        _ statement: Statement, inDatabase: Bool = true, row: (inout RowBinaryReader) throws -> Row,
    ) async throws -> [Row] {
        var query = [
            "default_format": "RowBinary", "wait_end_of_query": "1",
            "max_execution_time": "\(max(1, configuration.timeout.components.seconds))",
        ]
        if inDatabase { query["database"] = configuration.address.database }
        for (name, value) in statement.parameters { query["param_" + name] = value }
        let request = request(query, body: ByteBuffer(string: statement.text))
        var rows: [Row] = []
        var reader = RowBinaryReader(ByteBuffer())
        try await send(request) { part in
            reader.append(part)
            while !reader.isAtEnd {
                let start = reader
                do {
                    rows.append(try row(&reader))
                } catch is RowBinaryReader.Incomplete {
                    reader = start
                    break
                }
            }
        }
        guard reader.isAtEnd else { throw ClickHouseError.unexpectedResponse("it ends in the middle of a row") }
        return rows
    }

    /// Inserts rows into a table. Sends them again with the same token if the connection or the server fails for now.
    ///
    /// - Parameters:
    ///   - rows: Rows in the format `RowBinary`, with the columns of the table in its order.
    ///   - token: Identifies these rows. ClickHouse inserts rows with the same token once, if the table deduplicates.
    /// - Throws: The last `ClickHouseError`, or `CancellationError`.
    package func insert(into table: OTelTable, rows: ByteBuffer, token: String) async throws {
        try await insert(into: table.rawValue, columns: table.columns.map(\.name), rows: rows, token: token)
    }

    func insert(into table: String, columns: [String], rows: ByteBuffer, token: String) async throws {
        let columns = columns.map { "`\($0)`" }.joined(separator: ", ")
        let query = [
            "query": "INSERT INTO \(table) (\(columns)) FORMAT RowBinary",
            "database": configuration.address.database, "insert_deduplication_token": token,
        ]
        var delay = configuration.retryDelay
        for attempt in 1... {
            do {
                return try await send(request(query, body: rows)) { _ in }
            } catch let error as ClickHouseError where error.isTransient && attempt < configuration.insertAttempts {
                try await Task.sleep(for: delay)
                delay = min(delay * 2, .seconds(5))
            }
        }
    }

    private func request(_ query: [String: String], body: ByteBuffer) -> ClickHouseRequest {
        // Everything but letters and digits is encoded, so no value can end a parameter.
        let items = query.sorted { $0.key < $1.key }.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
        }
        var headers = [(name: "X-ClickHouse-User", value: configuration.address.user)]
        if !configuration.password.isEmpty { headers.append(("X-ClickHouse-Key", configuration.password)) }
        return ClickHouseRequest(
            url: "\(configuration.address.base.absoluteString)?\(items.joined(separator: "&"))", headers: headers,
            body: body, timeout: configuration.timeout)
    }

    /// Sends a request and passes on the parts of its answer.
    private func send(_ request: ClickHouseRequest, part: (ByteBuffer) throws -> Void) async throws {
        var count = 0
        let rejection = try await configuration.transport.send(request) { bytes in
            count += bytes.readableBytes
            guard count <= configuration.responseBytes else {
                throw ClickHouseError.responseTooLarge(bytes: configuration.responseBytes)
            }
            try part(bytes)
        }
        if let rejection { throw Self.error(of: rejection) }
    }

    private static func error(of rejection: ClickHouseRejection) -> ClickHouseError {
        var text = rejection.body.trimmingCharacters(in: .whitespacesAndNewlines)
        if let code = rejection.code {
            let beginning = "Code: \(code). DB::Exception: "
            while text.hasPrefix(beginning) { text.removeFirst(beginning.count) }
            return .exception(code: code, message: String(text.prefix(2_000)))
        }
        let status = "HTTP \(rejection.status): \(text.prefix(200))"
        return rejection.status >= 500 ? .unreachable(status) : .unexpectedResponse(status)
    }
}
