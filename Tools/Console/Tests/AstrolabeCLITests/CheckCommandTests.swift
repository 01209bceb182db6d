import AstrolabePlatform
import AstrolabeTestSupport
import BrowserKit
import Foundation
import Testing

@testable import AstrolabeCommands

@Suite(.timeLimit(.minutes(2))) struct `The check command` {
    private static let board = """
        title: Mine
        alerts:
          - name: The app crashes
            query: count of events by service.version where name = "app.crash"
            above: 0
            window: 15m

        """

    @Test func `evaluates the burn rates of objectives`() async throws {
        let folder = TemporaryDirectory()
        defer { withExtendedLifetime(folder) {} }
        try PrivateFiles.makeDirectory(folder.path)
        let file = folder.path + "/objective.yaml"
        let query = #"ratio(where name != "app.crash") of events"#
        let board = "title: A\npanels:\n  - {title: Stable, objective: {query: '\(query)', target: 99%}}\n"
        try Data(board.utf8).write(to: URL(fileURLWithPath: file))
        try await ConsoleSwitch.run(on: folder.path + "/console.sqlite") { address in
            let before = await CommandInProcess.run(["check", file, "--console", address])
            #expect(before.status == 0, "\(before.output)")
            let response = try await HTTP.request(
                "POST", "\(address)/v1/logs", headers: ["Content-Type": "application/json"],
                body: Self.crash(hoursAgo: 0))
            #expect(response.status == 200)
            let after = await CommandInProcess.run(["check", file, "--console", address])
            #expect(after.status == 1, "\(after.output)")
            for name in ["14.4×", "6×", "3×", "1×"] {
                let line = after.output.split(separator: "\n").first { $0.hasPrefix("Stable: \(name) burn") }
                #expect(line?.contains("FIRES") == true, "\(after.output)")
            }
            #expect(after.output.contains("below 85.6 % in the last 1h and the last 5m"))
        }
    }

    /// A crash of some hours ago that a phone reports now.
    private static func crash(hoursAgo: Double) -> [UInt8] {
        let time = UInt64((Date().timeIntervalSince1970 - hoursAgo * 3_600) * 1e9)
        let resource = #"{"attributes":[{"key":"service.version","value":{"stringValue":"2.1.0"}}]}"#
        let record = #"{"timeUnixNano":"\#(time)","severityNumber":21,"eventName":"app.crash"}"#
        let body = #"{"resourceLogs":[{"resource":\#(resource),"scopeLogs":[{"logRecords":[\#(record)]}]}]}"#
        return Array(body.utf8)
    }

    @Test(arguments: [3, 26, 144] as [Double])
    func `exits with 0 without a crash, and with 1 after one that is reported hours or days late`(hours: Double)
        async throws
    {
        let folder = TemporaryDirectory()
        defer { withExtendedLifetime(folder) {} }
        try PrivateFiles.makeDirectory(folder.path)
        let file = folder.path + "/mine.yaml"
        try Data(Self.board.utf8).write(to: URL(fileURLWithPath: file))
        try await ConsoleSwitch.run(on: folder.path + "/console.sqlite") { address in
            let before = await CommandInProcess.run(["check", file, "--console", address])
            #expect(before.status == 0, "\(before.output)")
            let response = try await HTTP.request(
                "POST", "\(address)/v1/logs", headers: ["Content-Type": "application/json"],
                body: Self.crash(hoursAgo: hours))
            #expect(response.status == 200)
            let after = await CommandInProcess.run(["check", file, "--console", address])
            #expect(after.status == 1, "\(after.output)")
            #expect(after.output.contains("FIRES") && after.output.contains("2.1.0"))
            let day = Date(timeIntervalSinceNow: -hours * 3_600).formatted(.iso8601.year().month().day())
            #expect(after.output.contains(day), "\(after.output)")
        }
    }
}
