import AstrolabePlatform
import AstrolabeTestSupport
import Foundation
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct `A new app` {
    @Test func `from the template builds, runs its scenario, and its crash has a line`() async throws {
        let folder = TemporaryDirectory()
        try PrivateFiles.makeDirectory(folder.path)
        let path = folder.path + "/Tally"
        let made = try await Executable.run(["new-app", "Tally", "--folder", path])
        #expect(made.status == 0, "\(made.output)")
        let (status, output) = try await Executable.run([
            "simulate", path + "/Scenarios", "--app", path, "--backend", path + "/Backend",
        ])
        #expect(status == 0, "\(output)")
        #expect(output.contains("1 of 1 scenarios passed"), "\(output)")
        let text = try String(contentsOfFile: path + "/Sources/Tally/ContentView.swift", encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let line = try #require(lines.firstIndex { $0.contains("fatalError(") }) + 1
        #expect(output.contains("ContentView.crash() · ContentView.swift:\(line)"), "\(output)")

        let again = try await Executable.run(["new-app", "Tally", "--folder", path])
        #expect(again.status != 0)
        #expect(again.output.contains("is not empty. Name another folder with --folder."), "\(again.output)")
    }

    @Test(arguments: ["tally", "My App", "../Tally", "Tal-ly"])
    func `has a name that can be a module's`(name: String) async throws {
        let (status, output) = try await Executable.run(["new-app", name])
        #expect(status != 0)
        #expect(output.contains("expected a capital letter, then letters and digits"), "\(output)")
    }
}
