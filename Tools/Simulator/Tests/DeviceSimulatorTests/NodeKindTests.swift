import AstrolabeTestSupport
import Foundation
import Testing
import ViewTree

@Suite struct `Node kinds` {
    private let assets = Repository.file("Tools/Simulator/Sources/DeviceSimulator/Assets/phone")

    /// With `ASTROLABE_WRITE_DOCS=1` in the environment, the file is written instead of compared.
    @Test func `are listed for the page in the file generated from the enum`() throws {
        let file = assets.appendingPathComponent("node-kinds.js")
        let names = NodeKind.allCases.map { "  \"\($0.rawValue)\",\n" }.joined()
        let expected = """
            // @ts-check
            // Generated from NodeKind.swift by NodeKindTests: ASTROLABE_WRITE_DOCS=1 rewrites it. Do not edit.

            /** Every kind of node that a view tree can contain. */
            export const nodeKinds = [
            \(names)];

            """
        if ProcessInfo.processInfo.environment["ASTROLABE_WRITE_DOCS"] == "1" {
            try expected.write(to: file, atomically: true, encoding: .utf8)
            return
        }
        #expect(
            try String(contentsOf: file, encoding: .utf8) == expected,
            "node-kinds.js is stale. To rewrite it, run NodeKindTests with ASTROLABE_WRITE_DOCS=1.",
        )
    }

    @Test func `have one renderer each, and no renderer has another name`() throws {
        var renderers = Set(try keys(ofObject: "kinds", in: "kinds.js"))
        for group in ["lists", "controls", "fields", "pages", "modals"] {
            renderers.formUnion(try keys(ofObject: group, in: "\(group).js"))
        }
        let kinds = Set(NodeKind.allCases.map(\.rawValue))
        #expect(kinds.subtracting(renderers).sorted() == [], "kinds without a renderer in kinds.js")
        #expect(renderers.subtracting(kinds).sorted() == [], "renderers without a case in NodeKind")
    }

    @Test func `are all described in the documentation`() throws {
        let text = try String(contentsOf: Repository.file("Docs/Internals/ViewHost.md"), encoding: .utf8)
        let table = try #require(text.components(separatedBy: "| kind | properties | actions |\n").last)
        let rows = table.split(separator: "\n").prefix { $0.hasPrefix("|") }.dropFirst()
        let names = rows.compactMap { $0.split(separator: "|").first }.flatMap { $0.matches(of: /`(\w+)`/).map(\.1) }
        #expect(Set(names.map(String.init)) == Set(NodeKind.allCases.map(\.rawValue)))
    }

    @Test func `of images have a drawing for each symbol that is listed as drawn, and for no other`() throws {
        let text = try String(contentsOf: assets.appendingPathComponent("symbols.js"), encoding: .utf8)
        let names = text.matches(of: /\n  "([a-z0-9.]+)": \[/).map { String($0.1) }
        #expect(Set(names) == SymbolNames.drawn)
        #expect(SymbolNames.isDrawn("heart.circle.fill") && !SymbolNames.isDrawn("hologram.fill"))
    }

    @Test func `travel as their names, and an unknown name is read as a group`() throws {
        #expect(try JSONEncoder().encode([NodeKind.tapArea]) == Data(#"["tapArea"]"#.utf8))
        let kinds = try JSONDecoder().decode([NodeKind].self, from: Data(#"["hstack","hologram"]"#.utf8))
        #expect(kinds == [.hstack, .group])
    }

    /// The keys of `export const name = { … };`, without what is spread into it.
    private func keys(ofObject name: String, in file: String) throws -> [String] {
        let text = try String(contentsOf: assets.appendingPathComponent(file), encoding: .utf8)
        let start = try #require(text.range(of: "export const \(name) = {"), "\(file) exports no \(name)")
        var depth = 0
        var entries = [""]
        for character in text[start.upperBound...] {
            if "{[(".contains(character) { depth += 1 }
            if "}])".contains(character) { depth -= 1 }
            if depth < 0 { break }
            if depth == 0, character == "," { entries.append("") } else { entries[entries.count - 1].append(character) }
        }
        return entries.compactMap { $0.prefixMatch(of: /\s*(\w+)/).map { String($0.1) } }
    }
}
