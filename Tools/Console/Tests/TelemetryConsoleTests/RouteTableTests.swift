import ConsoleAccess
import Foundation
import HTTPTypes
import Testing

@testable import TelemetryConsole

/// Tests that what names paths agrees with the route table: the pages' scripts, the assistants' tools and Docs.
@Suite struct `The route table` {
    private static let root = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }

    /// Returns the texts of the files below a folder, by name.
    private static func texts(in folder: String, ending: String) throws -> [String: String] {
        let url = root.appendingPathComponent(folder)
        var texts: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: url.path) where path.hasSuffix(ending) {
            let file = url.appendingPathComponent(path)
            texts[file.lastPathComponent] = try String(contentsOf: file, encoding: .utf8)
        }
        return texts
    }

    private static func scripts() throws -> [String: String] {
        try texts(in: "Tools/Console/Sources/TelemetryConsole/Assets", ending: ".js")
    }

    @Test func `leads each path to one route`() {
        var seen: Set<String> = []
        for route in ConsoleRoute.all {
            let place = "\(route.method) \(route.path.filled { _ in "{}" })"
            #expect(seen.insert(place).inserted, "\(place) is there twice")
            let match = ConsoleRoute.match(route.path.filled { "a%20\($0)" })
            #expect(match?.path == route.path)
            #expect(match?.values == route.path.parameters.map { "a \($0)" })
            #expect(match?.route(route.method)?.method == route.method)
        }
    }

    @Test func `lets no one without a key read telemetry, and assistants read only what viewers may`() throws {
        let openPaths = Set(ConsoleRoute.all.filter { $0.access == .open }.map(\.path.text))
        #expect(openPaths == Set(ConsoleRoute.pagePaths + ["/assets/{folder}/{asset}", "/api/v1/access"]))
        let ofSenders = ConsoleRoute.all.filter { $0.access == .sender }
        #expect(ofSenders.map(\.path.text) == Signal.allCases.map { "/" + $0.path })
        #expect(ofSenders.allSatisfy { $0.admission == .ingest })
        for tool in MCPTool.all {
            let route = try #require(ConsoleRoute.match(tool.route.text)?.route(.get), "\(tool.name)")
            #expect(route.path == tool.route, "\(tool.name)")
            #expect(route.access == .key(.view) && route.admission == .queries, "\(tool.name)")
            // A tool whose answer is text reads its arguments itself.
            let asked = tool.isText ? [] : tool.parameters.map(\.name) + tool.defaults.keys
            #expect(Set(asked).isSubset(of: route.parameters), "\(tool.name)")
        }
    }

    @Test func `has each path that the pages' scripts ask`() throws {
        var paths: Set<String> = []
        for (file, script) in try Self.scripts() where file != "api.js" {
            let calls = script.matches(of: #/(?:^|[^.\w])get\(/#).count
            let named = script.matches(of: #/(?:^|[^.\w])get\(["`]([a-z]+(?:/(?:[a-z]+|\$\{[^}]*\}))*)["`]/#)
            // A panel's path depends on what it shows. Other scripts name each of its paths.
            #expect(calls == named.count + (file == "board.js" ? 1 : 0), "\(file) asks a path that is no literal")
            paths.formUnion(named.map { String($0.output.1) })
        }
        var sent: Set<String> = []
        for script in try Self.scripts().values {
            let named = script.matches(
                of: #/(?:fetch|EventSource|request|send)\(["`]/api/v1/([a-z]+(?:/(?:[a-z]+|\$\{[^}]*\}))*)/#)
            sent.formUnion(named.map { String($0.output.1) })
        }
        func match(_ path: String) -> RouteMatch? {
            ConsoleRoute.match("/api/v1/" + path.replacing(#/\$\{[^}]*\}/#, with: "x"))
        }
        for path in paths { #expect(match(path)?.route(.get) != nil, "no route for \(path)") }
        for path in sent { #expect(match(path) != nil, "no route for \(path)") }
        #expect(sent.isSuperset(of: ["live", "access", "boards/${encodeURIComponent(id)}"]))
        #expect(paths.contains("status") && paths.count > 25)
    }

    @Test func `has the pages that the script shows`() throws {
        let script = try #require(try Self.scripts()["app.js"])
        let shown = Set(script.matches(of: #/parts\[0\] === "([a-z]+)"/#).map { String($0.output.1) })
        let known = Set(ConsoleRoute.pagePaths.compactMap { $0.split(separator: "/").first.map(String.init) })
        #expect(known == shown.union(["sign-in"]))
    }

    @Test func `is in the documentation, path by path`() throws {
        let pages = try Self.texts(in: "Docs", ending: ".md").values.joined(separator: "\n")
            .replacing(#/\{[a-z]+\}/#, with: "{}")
        for route in ConsoleRoute.all where route.path.text.hasPrefix("/api/v1/") {
            let path = route.path.filled { _ in "{}" }
            let isNamed = pages.contains("`\(path.dropFirst("/api/v1/".count))`") || pages.contains(path)
            #expect(isNamed, "no page names \(route.path.text)")
        }
    }
}
