import BrowserKit
import Foundation
import Testing

@testable import TelemetryBoards
@testable import TelemetryConsole

/// Tests of the boards' API over real files and a real socket.
@Suite
struct BoardAPITests {
    private static let source = """
        # Made by hand.
        title: Checkout
        panels:
          # Keep this.
          - title: Routes
            query: count by http.route where kind = server
            as: table

        """

    private static func put(
        _ console: ConsoleUnderTest, _ id: String, _ text: String, type: String = "application/yaml",
        headers: [String: String] = [:],
    ) async throws -> HTTP.Response {
        try await HTTP.request(
            "PUT", "\(console.address)/api/v1/boards/\(id)",
            headers: ["Content-Type": type].merging(headers) { $1 }, body: Array(text.utf8))
    }

    private static func folder(_ console: ConsoleUnderTest) -> URL { console.console.configuration.boardsFolder }

    private static func text(_ console: ConsoleUnderTest, _ id: String) throws -> String {
        try String(contentsOf: folder(console).appendingPathComponent("\(id).yaml"), encoding: .utf8)
    }

    @Test
    func `the boards that ship are listed, and each of their queries has an answer`() async throws {
        try await ConsoleUnderTest.run { console in
            try await console.send(ShopVisit.purchase())
            let boards = try await console.get("/api/v1/boards")["boards"].elements
            #expect(boards.map { $0["id"].text } == ShippedBoards.ids)
            for board in boards {
                let id = try #require(board["id"].text)
                let entry = try await console.get("/api/v1/boards/\(id)")
                #expect(entry["isFile"].bool == false)
                #expect(entry["board"]["panels"].elements.count == board["panels"].int)
                for panel in entry["board"]["panels"].elements {
                    guard let query = panel["query"].text.map({ $0 + " last 24h" }) else { continue }
                    let value = query.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                    let answer = try await console.get("/api/v1/query?q=\(value)")
                    #expect(!answer["columns"].elements.isEmpty)
                }
            }
        }
    }

    @Test
    func `a file in the folder is a board, and a change of it shows at once`() async throws {
        try await ConsoleUnderTest.run { console in
            let folder = Self.folder(console)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appendingPathComponent("checkout.yaml")
            try Data(Self.source.utf8).write(to: file)
            let first = try await HTTP.request("GET", "\(console.address)/api/v1/boards/checkout")
            let tag = try #require(first[header: "ETag"])
            #expect(try JSONResponse(first.body)["board"]["title"].text == "Checkout")
            let same = try await HTTP.request(
                "GET", "\(console.address)/api/v1/boards/checkout", headers: ["If-None-Match": tag])
            #expect(same.status == 304)
            try Data(Self.source.replacingOccurrences(of: "Checkout", with: "Orders").utf8).write(to: file)
            let changed = try await HTTP.request(
                "GET", "\(console.address)/api/v1/boards/checkout", headers: ["If-None-Match": tag])
            #expect(try JSONResponse(changed.body)["board"]["title"].text == "Orders")
            try Data("title: Orders\npanels: 5\n".utf8).write(to: file)
            let wrong = try await console.get("/api/v1/boards/checkout")
            #expect(wrong["error"].text == "checkout.yaml, line 2: panels: expected a list, found \"5\"")
            #expect(wrong["line"].int == 2)
            let listed = try await console.get("/api/v1/boards")["boards"].elements.last
            #expect(listed?["error"].text?.hasPrefix("checkout.yaml, line 2") == true)
        }
    }

    @Test
    func `a saved board keeps the comments of the file and is in the file at once`() async throws {
        try await ConsoleUnderTest.run { console in
            let created = try await Self.put(console, "checkout", Self.source)
            #expect(created.status == 201)
            #expect(try Self.text(console, "checkout") == Self.source)
            let tag = try #require(created[header: "ETag"])
            var board = try Board(yaml: Self.source, file: "")
            board.panels.append(
                BoardPanel(title: "All", content: .query(try BoardQuery("count"), as: .number), width: 3))
            let json = String(decoding: try board.json(), as: UTF8.self)
            let saved = try await Self.put(
                console, "checkout", json, type: "application/json; charset=utf-8", headers: ["If-Match": tag])
            #expect(saved.status == 200)
            let text = try Self.text(console, "checkout")
            #expect(text.hasPrefix(Self.source))
            #expect(try Board(yaml: text, file: "") == board)
        }
    }

    @Test
    func `a board that changed meanwhile is not overwritten`() async throws {
        try await ConsoleUnderTest.run { console in
            let created = try await Self.put(console, "checkout", Self.source)
            let tag = try #require(created[header: "ETag"])
            let edited = Self.source + "# A note that was written meanwhile.\n"
            try Data(edited.utf8).write(to: Self.folder(console).appendingPathComponent("checkout.yaml"))
            for headers in [["If-Match": tag], [:]] {
                let refused = try await Self.put(console, "checkout", Self.source, headers: headers)
                #expect(refused.status == (headers.isEmpty ? 428 : 412))
                #expect(try Self.text(console, "checkout") == edited)
                let removal = try await HTTP.request(
                    "DELETE", "\(console.address)/api/v1/boards/checkout", headers: headers)
                #expect(removal.status == (headers.isEmpty ? 428 : 412))
            }
        }
    }

    @Test
    func `a changed board that ships is a file, and without the file it is as before`() async throws {
        try await ConsoleUnderTest.run { console in
            let path = "\(console.address)/api/v1/boards/user-journey"
            let shipped = try await HTTP.request("GET", path)
            let tag = try #require(shipped[header: "ETag"])
            #expect(try await HTTP.request("DELETE", path, headers: ["If-Match": tag]).status == 404)
            let saved = try await Self.put(console, "user-journey", Self.source, headers: ["If-Match": tag])
            #expect(saved.status == 200)
            let mine = try await console.get("/api/v1/boards/user-journey")
            #expect(mine["isFile"].bool == true && mine["isShipped"].bool == true)
            #expect(mine["board"]["title"].text == "Checkout")
            #expect(try await console.get("/api/v1/boards")["boards"].elements.count == ShippedBoards.ids.count)
            let removed = try await HTTP.request("DELETE", path, headers: ["If-Match": saved[header: "ETag"] ?? ""])
            #expect(removed.status == 204)
            #expect(try await console.get("/api/v1/boards/user-journey")["board"]["title"].text == "User Journey")
        }
    }

    @Test
    func `another site, another content type, a wrong board and a wrong name write nothing`() async throws {
        try await ConsoleUnderTest.run { console in
            let foreign = try await Self.put(
                console, "evil", Self.source, headers: ["Origin": "https://elsewhere.example"])
            #expect(foreign.status == 403)
            let own = try await Self.put(console, "own", Self.source, headers: ["Origin": console.address])
            #expect(own.status == 201)
            for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
                #expect(try await Self.put(console, "evil", Self.source, type: type).status == 415)
            }
            let wrong = try await Self.put(console, "evil", "title: A\npanels:\n  - title: B\n    query: cuont")
            #expect(wrong.status == 400)
            #expect(try JSONResponse(wrong.body)["line"].int == 4)
            #expect(try await Self.put(console, "evil", "[]", type: "application/json").status == 400)
            let large = Self.source + String(repeating: "#", count: 70_000)
            #expect(try await Self.put(console, "evil", large).status == 413)
            for name in [
                "..%2Fevil", "%2Fevil", "Evil", "evil%00", ".evil", "e%20vil", String(repeating: "e", count: 65),
            ] {
                let response = try await Self.put(console, name, Self.source)
                #expect([400, 404].contains(response.status), "\(name) \(response.status)")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: Self.folder(console).path) == ["own.yaml"])
            let parent = Self.folder(console).deletingLastPathComponent().path
            #expect(try !FileManager.default.contentsOfDirectory(atPath: parent).contains { $0.contains("evil") })
        }
    }
}
