import TelemetryQuery
import Testing

@testable import ClickHouse

/// Queries that the tables cannot answer as the embedded store does are refused.
@Suite
struct QueryStatementTests {
    private static func error(_ text: String) throws -> QueryError? {
        let plan = try QueryPlan(Query(text: text), now: 1_800_000_000_000_000_000)
        do {
            _ = try QueryStatement(plan)
            return nil
        } catch {
            return error
        }
    }

    // A number has no order with such a text, and a text has; the tables have both as text.
    @Test(arguments: [
        "count where size < \"text\"", "count where not size >= \"15\"", "count where flag > false",
        "count where resource.os.version >= \"18.0\"", "count of events where body < \"m\"",
        "count where any.size < \"text\"", "count where coalesce(size, \"none\") < \"text\"",
        "count where session.os.version > \"18\"", "ratio(where size < \"text\")",
    ])
    func `an attribute is not ordered by a text`(query: String) throws {
        #expect(try Self.error(query)?.message.contains("cannot order them by a text") == true)
    }

    @Test(arguments: [
        "count where size < 5", "count where name < \"text\"", "count where status >= \"error\"",
        "count where size = \"text\"", "count of sessions where device.id > \"a\"", "count having count > 5",
        "count where extract(size, \"[a-z]+\") < \"m\"", "count where session.crashes > 2",
    ])
    func `numbers and texts that are known as such have an order`(query: String) throws {
        #expect(try Self.error(query) == nil)
    }

    @Test
    func `an attribute of the scope of a span is refused, its name and version are not`() throws {
        #expect(try Self.error("count by scope.team")?.message.contains("no scope.team") == true)
        #expect(try Self.error("count by root.scope.team")?.message.contains("no scope.team") == true)
        #expect(try Self.error("count by scope.name, scope.version") == nil)
        #expect(try Self.error("count of events by scope.team") == nil)
    }

    @Test(arguments: ["count arriving last 1h", "max(delay)", "count of sessions by arrived", "count by session.delay"])
    func `when records arrived is not known and refused`(text: String) throws {
        #expect(try Self.error(text)?.message.contains("does not keep when records arrived") == true)
    }
}
