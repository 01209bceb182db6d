import ConsoleModel
import Foundation
import Testing

@testable import TelemetryConsole

/// Answers of tools that are too long, divided into parts.
@Suite
struct ResultPartsTests {
    private static let limit = 4_000

    private static func parts(_ write: (inout JSONText) -> Void) -> ResultParts {
        var text = JSONText()
        text.object(write)
        return ResultParts(text.bytes, limit: limit)
    }

    private static func object(_ parts: ResultParts, _ part: String? = nil) throws -> [String: Any] {
        let text = try parts.text(of: part)
        #expect(text.utf8.count <= limit)
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test
    func `an answer within the limit is unchanged`() throws {
        var text = JSONText()
        text.object { $0.member("a", 1) }
        #expect(try ResultParts(text.bytes, limit: 100).text(of: nil) == #"{"a":1}"#)
        #expect(try ResultParts(text.bytes, limit: 100).text(of: "/a@0").contains(#""value":1"#))
    }

    @Test
    func `an outline has what is small and the sizes of what is large`() throws {
        let parts = Self.parts { text in
            text.member("name", "checkout")
            text.member("rows") { $0.array(0..<2_000) { $0.append($1) } }
        }
        let outline = try Self.object(parts)
        let members = try #require(outline["members"] as? [String: Any])
        #expect(members["name"] as? String == "checkout")
        let rows = try #require(members["rows"] as? [String: Any])
        #expect(rows["part"] as? String == "/rows@0")
        #expect(rows["count"] as? Int == 2_000)
    }

    @Test
    func `an array is read by its parts, each element once`() throws {
        let parts = Self.parts { text in
            text.member("a/b~c") { text in
                text.array(0..<500) { text, index in
                    text.object { text in
                        text.member("index", index)
                        text.member("text", "a \"quoted\" } ] , text \\ \(index)")
                    }
                }
            }
        }
        let members = try #require(try Self.object(parts)["members"] as? [String: Any])
        var next = (members["a/b~c"] as? [String: Any])?["part"] as? String
        #expect(next == "/a~1b~0c@0")
        var found: [Int] = []
        while let part = next {
            let page = try Self.object(parts, part)
            let elements = try #require(page["elements"] as? [[String: Any]])
            found += elements.compactMap { $0["index"] as? Int }
            next = page["next"] as? String
        }
        #expect(found == Array(0..<500))
    }

    @Test
    func `a long text is read by its parts`() throws {
        let long = String(repeating: "äé\n\"🛒", count: 3_000)
        let parts = Self.parts { text in text.member("body", long) }
        let members = try #require(try Self.object(parts)["members"] as? [String: Any])
        let body = try #require(members["body"] as? [String: Any])
        #expect((body["begins"] as? String).map { long.hasPrefix($0) && !$0.isEmpty } == true)
        var next = body["part"] as? String
        var found = ""
        while let part = next {
            let page = try Self.object(parts, part)
            found += page["text"] as? String ?? ""
            next = page["next"] as? String
        }
        #expect(found == long)
    }

    @Test(arguments: ["/b@0", "/a", "/a@x", "@-1", "a"])
    func `a part that the answer does not have is refused`(part: String) {
        let parts = Self.parts { $0.member("a", 1) }
        #expect(throws: MCPError.self) { try parts.text(of: part) }
    }
}
