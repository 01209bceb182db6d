import AstrolabeTestSupport
import Foundation
import Testing

@testable import Astrolabe

/// The keys in the table of a part of the page.
private func keys(under heading: String) throws -> Set<String> {
    let page = Repository.file("Sources/Astrolabe/Astrolabe.docc/Configuration.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let part = try #require(text.components(separatedBy: "\n## \(heading)\n").dropFirst().first)
    let rows = part.components(separatedBy: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("| `") }
    return Set(rows.compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) })
}

@Suite struct `The configuration page` {
    private let reader = ConfigurationReader(source: "nothing", entries: [:])

    @Test func `lists each key of the property list`() throws {
        var configuration = TelemetryConfiguration()
        PropertyListConfiguration.set(reader, &configuration)
        #expect(try keys(under: "Property list") == reader.knownKeys)
    }

    @Test func `lists each key of the JSON file`() throws {
        var configuration = TelemetryConfiguration()
        JSONConfiguration.set(reader, &configuration)
        #expect(try keys(under: "JSON file") == reader.knownKeys)
    }

    @Test func `lists each variable`() throws {
        var configuration = TelemetryConfiguration()
        let reader = EnvironmentConfiguration.follow([:], &configuration)
        // AstrolabeDeclarative reads the one more.
        #expect(try keys(under: "Environment") == reader.knownKeys.union(["OTEL_CONFIG_FILE"]))
    }
}
