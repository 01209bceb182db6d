import AstrolabeTestSupport
import Foundation
import Testing

@testable import AstrolabeCommands

@Suite(.timeLimit(.minutes(5))) struct `The fleet command` {
    @Test func `compares sampling, as JSON and as a chart`() async throws {
        let folder = TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let chart = folder.path + "/sampling.svg"
        let (status, output) = await CommandInProcess.run([
            "fleet", "--compare-sampling", "--devices", "2", "--hours", "3", "--bad-sessions", "10", "--json",
            "--chart", chart,
        ])
        #expect(status == 0, "\(output)")
        #expect(output.contains("\"name\" : \"recorder alone\""))
        #expect(try String(contentsOfFile: chart, encoding: .utf8).hasPrefix("<svg "))
    }

    @Test func `refuses two comparisons at once, and more hours than it has days for`() async {
        for options in [["--compare-sampling"], ["--endpoint", "http://127.0.0.1:9"], ["--hours", "121"]] {
            let (status, output) = await CommandInProcess.run(["fleet", "--completeness"] + options)
            #expect(status == 64)
            #expect(output.lowercased().contains("expected"))
        }
    }

    @Test func `refuses options of the comparison without it, and shares that are none`() async {
        for options in [["--json"], ["--chart", "a.svg"], ["--compare-sampling", "--bad-sessions", "0"]] {
            let (status, output) = await CommandInProcess.run(["fleet"] + options)
            #expect(status == 64)
            #expect(output.contains("expected"))
        }
    }
}
