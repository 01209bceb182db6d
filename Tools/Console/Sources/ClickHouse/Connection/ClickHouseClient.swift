import AsyncHTTPClient
import Foundation
package import NIOCore
import NIOHTTP1

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

    private func request(_ query: [String: String], body: ByteBuffer) -> HTTPClientRequest {
        // Everything but letters and digits is encoded, so no value can end a parameter.
        let items = query.sorted { $0.key < $1.key }.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
        }
        var request = HTTPClientRequest(
            url: "\(configuration.address.base.absoluteString)?\(items.joined(separator: "&"))")
        request.method = .POST
        request.headers.add(name: "X-ClickHouse-User", value: configuration.address.user)
        if !configuration.password.isEmpty {
            request.headers.add(name: "X-ClickHouse-Key", value: configuration.password)
        }
        request.body = .bytes(body)
        return request
    }

    /// Sends a request and passes on the parts of its answer.
    private func send(_ request: HTTPClientRequest, part: (ByteBuffer) throws -> Void) async throws {
        do {
            let timeout = TimeAmount(configuration.timeout)
            let response = try await Self.http.execute(request, timeout: timeout)
            guard response.status == .ok else { throw try await Self.exception(in: response) }
            var count = 0
            for try await bytes in response.body {
                count += bytes.readableBytes
                guard count <= configuration.responseBytes else {
                    throw ClickHouseError.responseTooLarge(bytes: configuration.responseBytes)
                }
                try part(bytes)
            }
        } catch let error as ClickHouseError {
            throw error
        } catch let error as CancellationError {
            throw error
        } catch let error as HTTPClientError where Self.timeouts.contains(error) {
            throw ClickHouseError.timedOut(seconds: configuration.timeout.components.seconds)
        } catch let error as HTTPClientError {
            if error == .cancelled { throw CancellationError() }
            throw ClickHouseError.unreachable(error.shortDescription)
        } catch {
            throw ClickHouseError.unreachable("\(error)")
        }
    }

    /// Fails at once if nothing listens; an insert that may be sent again waits itself.
    private static let http: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    private static let timeouts: [HTTPClientError] = [.deadlineExceeded, .connectTimeout, .readTimeout, .writeTimeout]

    private static func exception(in response: HTTPClientResponse) async throws -> ClickHouseError {
        let body = try await response.body.collect(upTo: 64 << 10)
        var text = String(buffer: body).trimmingCharacters(in: .whitespacesAndNewlines)
        if let code = response.headers.first(name: "X-ClickHouse-Exception-Code").flatMap({ Int($0) }) {
            let beginning = "Code: \(code). DB::Exception: "
            while text.hasPrefix(beginning) { text.removeFirst(beginning.count) }
            return .exception(code: code, message: String(text.prefix(2_000)))
        }
        let status = "HTTP \(response.status.code): \(text.prefix(200))"
        return response.status.code >= 500 ? .unreachable(status) : .unexpectedResponse(status)
    }
}
