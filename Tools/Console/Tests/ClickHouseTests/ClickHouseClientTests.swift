import AstrolabeTestSupport
import ClickHouseFixture
import Foundation
import Testing

@testable import ClickHouse

@Suite(.enabled(if: ClickHouseServer.command != nil, "\(ClickHouseServer.isMissing)"), .timeLimit(.minutes(10)))
struct `The ClickHouse client` {
    private let folder = TemporaryDirectory()

    /// A server of the test's own.
    private func ownServer(password: String = "") async throws -> ClickHouseServer {
        try await ClickHouseServer(folder: URL(fileURLWithPath: folder.path), password: password)
    }

    @Test func `returns texts and numbers as they were bound`() async throws {
        let client = try await ClickHouseDatabase.server.client(database: "default")
        let texts = [
            "", "plain", "it's", "\\", "\\'", "a\tb\nc\rd\0e", "{p0:String}", "'; DROP TABLE otel_traces; --",
            "&param_p0=x",
            "Grüße 👋", "\\N", "%41", "?#",
        ]
        for text in texts {
            var statement = Statement()
            statement.text = "SELECT \(statement.bind(text))"
            #expect(try await client.rows(statement) { try $0.string() } == [text])
        }
        var statement = Statement()
        let numbers = [Int64.min, .max, -1, 0].map { statement.bind($0) } + [statement.bind(2.5e-300)]
        statement.text = "SELECT \(numbers.joined(separator: ", "))"
        let row = try await client.rows(statement) { reader in
            (
                [try reader.integer(), try reader.integer(), try reader.integer(), try reader.integer()] as [Int64],
                try reader.double(),
            )
        }
        #expect(row[0].0 == [.min, .max, -1, 0])
        #expect(row[0].1 == 2.5e-300)
    }

    @Test func `reads rows that arrive in parts`() async throws {
        let client = try await ClickHouseDatabase.server.client(database: "default")
        let rows = try await client.rows(
            Statement("SELECT number, repeat('x', 1000), [number, 1], toNullable('y') FROM numbers(20000)")
        ) { reader in
            let number = try reader.integer(UInt64.self)
            let text = try reader.string()
            let list = try reader.array { try $0.integer(UInt64.self) }
            return number + UInt64(text.utf8.count) + list[0] - number
                + UInt64(try reader.optional { try $0.string() }?.count ?? 0)
        }
        #expect(rows.enumerated().allSatisfy { $1 == UInt64($0) + 1_001 })
        #expect(rows.count == 20_000)
    }

    @Test func `throws ClickHouse's code and message`() async throws {
        let client = try await ClickHouseDatabase.server.client(database: "default")
        let error = await #expect(throws: ClickHouseError.self) {
            try await client.execute(Statement("SELECT 1 FROM missing_table"))
        }
        guard case .exception(60, let message) = error else { throw try #require(error) }
        #expect(message.contains("missing_table"))
        #expect(!"\(try #require(error))".contains("\n"))
    }

    @Test func `limits the size of a response`() async throws {
        var configuration = try await ClickHouseDatabase.server.client(database: "default").configuration
        configuration.responseBytes = 10_000
        let client = ClickHouseClient(configuration)
        await #expect(throws: ClickHouseError.responseTooLarge(bytes: 10_000)) {
            try await client.rows(Statement("SELECT number FROM numbers(10000)")) { try $0.integer(UInt64.self) }
        }
    }

    @Test func `gives up after its timeout`() async throws {
        var configuration = try await ClickHouseDatabase.server.client(database: "default").configuration
        configuration.timeout = .seconds(1)
        let client = ClickHouseClient(configuration)
        let error = await #expect(throws: ClickHouseError.self) {
            try await client.execute(Statement("SELECT sleepEachRow(1) FROM numbers(3) SETTINGS max_block_size = 1"))
        }
        guard case .timedOut(1) = error else {
            // The server's own limit may be first.
            guard case .exception(159, _) = error else { throw try #require(error) }
            return
        }
    }

    @Test func `needs the password`() async throws {
        let server = try await ownServer(password: "se'cret")
        try await server.client(database: "default", password: "se'cret").execute(Statement("SELECT 1"))
        for wrong in ["", "other"] {
            let client = try server.client(database: "default", password: wrong)
            let error = await #expect(throws: ClickHouseError.self) { try await client.execute(Statement("SELECT 1")) }
            guard case .exception(516, let message) = error else { throw try #require(error) }
            #expect(!message.contains("se'cret"))
        }
    }

    @Test func `says that a server cannot be reached`() async throws {
        let server = try await ownServer()
        let client = try server.client()
        await server.kill()
        let error = await #expect(throws: ClickHouseError.self) { try await client.execute(Statement("SELECT 1")) }
        guard case .unreachable = error else { throw try #require(error) }
    }
}

struct `The address of ClickHouse` {
    @Test func `has a user, a port and a database`() throws {
        let address = try ClickHouseAddress("clickhouse://reader@ch.example.com:9123/otel?secure=true")
        #expect(address.base.absoluteString == "https://ch.example.com:9123/")
        #expect(address.user == "reader")
        #expect(address.database == "otel")
        #expect(try ClickHouseAddress("clickhouse://localhost/otel").base.absoluteString == "http://localhost:8123/")
        #expect(try ClickHouseAddress("clickhouse://localhost/otel").user == "default")
    }

    @Test(arguments: [
        "http://localhost/otel", "clickhouse:///otel", "clickhouse://localhost", "clickhouse://localhost/",
        "clickhouse://localhost/a/b", "clickhouse://localhost/a`b", "clickhouse://user:secret@localhost/otel",
        "clickhouse://localhost/otel?secure=perhaps", "clickhouse://localhost/otel?compress=1",
    ])
    func `is refused with what was expected`(text: String) {
        let error = #expect(throws: ClickHouseError.self) { try ClickHouseAddress(text) }
        #expect(error.map { "\($0)" }?.contains("secret") == false)
    }
}
