import AstrolabeTestSupport
import Foundation
import Testing

@testable import TelemetryQuery

/// No text can hurt.
@Suite
struct HostileQueryTests {
    private static let mutations = Thoroughness.count(4_000, thorough: 10_000)
    private static let fragments = [
        "count", "p99(", "(", ")", ",", " by ", " where ", " and ", " not ", "\"", "'", "`", "\\", "-", "1e999", "5ms",
        "=", "!",
        ">=", "in (", "extract(", "if(", " last 1h", " from ", "2026-01-01", " to ", "\u{0}", "é", "🔭",
        "9223372036854775808",
    ]

    @Test
    func `mutated texts give a query or an error at a column of the text`() throws {
        var random = SeededNumbers(seed: 5)
        var errors = 0
        for seed in 0..<UInt64(Self.mutations) {
            var source = RandomQuery(seed: seed % 500)
            var text = Array(source.query().description)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0...text.count, using: &random)
                switch random.pick([0, 1, 2, 3]) {
                case 0: text.insert(contentsOf: random.pick(Self.fragments), at: place)
                case 1: text.removeSubrange(place..<min(text.count, place + Int.random(in: 0...9, using: &random)))
                case 2: text.insert(contentsOf: text.suffix(from: place), at: place)
                default: text.removeSubrange(place...)
                }
            }
            do throws(QueryError) {
                let query = try Query(text: String(text))
                let again = try Query(text: query.description)
                #expect(again == query)
                _ = try? QueryPlan(query, now: RandomRecords.now)
            } catch {
                errors += 1
                guard case .column(let column, let length) = error.place, (1...(text.count + 1)).contains(column),
                    length > 0
                else {
                    Issue.record("\(String(text)): \(error)")
                    continue
                }
            }
        }
        #expect(errors > Self.mutations / 4)
    }

    @Test
    func `mutated JSON bodies give a query, or an error that says where it is and what was expected`() throws {
        var random = SeededNumbers(seed: 6)
        var (paths, columns) = (0, 0)
        for seed in 0..<UInt64(Self.mutations) {
            var source = RandomQuery(seed: seed % 500)
            var body = [UInt8](try source.query().json())
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<body.count, using: &random)
                switch random.pick([0, 1, 2]) {
                case 0: body[place] = UInt8.random(in: 0...255, using: &random)
                case 1: body.removeSubrange(place..<min(body.count, place + Int.random(in: 0...5, using: &random)))
                default:
                    body.insert(
                        contentsOf: Array(random.pick(["{", "[", "null", "\"", "7", "true,"]).utf8), at: place)
                }
                if body.isEmpty { body = [0x7B] }
            }
            do throws(QueryError) {
                let query = try Query(json: Data(body))
                _ = try? QueryPlan(query, now: RandomRecords.now)
            } catch {
                let text = String(decoding: body, as: UTF8.self)
                switch error.place {
                case .path(let path):
                    paths += 1
                    #expect(!path.isEmpty, "\(text): \(error)")
                case .column(let column, let length):
                    columns += 1
                    #expect((1...(text.count + 1)).contains(column) && length == 1, "\(text): \(error)")
                case .query: Issue.record("\(text): \(error)")
                }
                // A regular expression has an error of its own, such as a missing parenthesis.
                let says = ["xpected", "The regular expression"].contains { error.message.contains($0) }
                #expect(says, "\(text): \(error)")
            }
        }
        #expect(paths > Self.mutations / 100)
        #expect(columns > Self.mutations / 10)
    }

    @Test(arguments: [
        (
            #"{"calculate":["count"],"where":{"all":[{"field":"a","operator":"=","value":1},{"field":"b","operator":"is"}]}}"#,
            "where.all[1].operator",
        ),
        (#"{"calculate":["p98(a)"]}"#, "calculate[0]"), (#"{"calculate":["count"],"wher":1}"#, "wher"),
        (#"{"calculate":["count"],"time":"last 5"}"#, "time"), (#"{"calculate":["count"],"limit":"5"}"#, "limit"),
        (#"{"calculate":["count"],"where":{"any":[]}}"#, "where.any"),
        (
            #"{"calculate":["count"],"where":{"field":"a","operator":"=","value":{"quantity":"5 apples"}}}"#,
            "where.value.quantity",
        ),
        (#"{"calculate":["count"],"where":{"field":"a","operator":"matches","value":"("}}"#, "where.value"),
        ("[]", "$"), ("null", "$"), ("{}", "calculate"), (#"{"calculate":[]}"#, "calculate"),
        (#"{"calculate":["count"],"where":{"all":[{"field":"a"}]}}"#, "where.all[0].operator"),
        (#"{"calculate":["count"],"by":["a","b","c","d","e","f","g","h","i"]}"#, "by"),
        (#"{"calculate":["count"],"limit":1000000}"#, "limit"),
        (#"{"calculate":["count"],"time":"last 900000d"}"#, "time"),
    ])
    func `an error in JSON names the path`(body: String, path: String) throws {
        let error = try #require(throws: QueryError.self) { try Query(json: Data(body.utf8)) }
        #expect(error.place == .path(path), "\(error)")
    }

    @Test(arguments: [
        (#"{"calculate":["count"],,}"#, 24, "a key in quotes"), (#"{"calculate":["count" 5]}"#, 23, "a comma or ]"),
        ("", 1, "a value"), (#"{"calculate":["cöunt"#, 21, "a closing quote"), (#"{"limit":01}"#, 11, "a comma or }"),
        (#"{"a":tru}"#, 6, "a value"), (#"{"a":"\q"}"#, 8, "one of"), ("{}\n{}", 4, "the end"),
    ])
    func `an error in the syntax of JSON names the column`(body: String, column: Int, expected: String) throws {
        let error = try #require(throws: QueryError.self) { try Query(json: Data(body.utf8)) }
        #expect(error.place == .column(column, length: 1), "\(error)")
        #expect(error.message.contains("Expected \(expected)"), "\(error)")
    }

    @Test
    func `deeply nested JSON is an error`() {
        let nested = String(repeating: #"{"not":"#, count: 400) + "1" + String(repeating: "}", count: 400)
        #expect(throws: QueryError.self) { try Query(json: Data(#"{"calculate":["count"],"where":\#(nested)}"#.utf8)) }
    }

    @Test(arguments: ["%", "%4", "%zz", "count%FF"])
    func `a damaged URL value is an error`(value: String) {
        #expect(throws: QueryError.self) { try Query(urlValue: value) }
    }
}
