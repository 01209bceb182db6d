import AstrolabePlatform
import AstrolabeTestSupport
import Foundation
import Testing

/// Hours of a phone's life, in virtual time, with a real app process, real sockets, and the console.
@Suite(.serialized, .timeLimit(.minutes(30))) struct `A scenario in virtual time` {
    private static func scenario(_ name: String) -> String { Repository.file("Lab/Scenarios/\(name).yaml").path }

    @Test(.enabled(if: Thoroughness.isThorough, "runs with ./astrolabe test --thorough"))
    func `accounts for every record of eight hours with kills, outages and clocks that are set`() async throws {
        let (status, output) = try await Executable.run(["simulate", Self.scenario("day")])
        #expect(status == 0, "\(output)")
        #expect(output.contains(" 0 lost, 0 shown twice, 0 invented, 0 critical ones late"), "\(output)")
        // Eight whole hours and the begin of another.
        #expect(output.contains("\n   9  "), "\(output)")
        print(output)
    }

    /// Ten minutes of each by default, an hour in a thorough run.
    @Test func `loses nothing in times of 503, 401, 404, 2 kB a second and a portal`() async throws {
        var scenario = try String(contentsOfFile: Self.scenario("outages"), encoding: .utf8)
        if !Thoroughness.isThorough {
            scenario = scenario.replacing("advance: 1 h", with: "advance: 10 min")
                .replacing("advance: 30 min", with: "advance: 5 min")
        }
        let (status, output) = try await run(scenario)
        #expect(status == 0, "\(output)")
        #expect(output.contains(" 0 lost, 0 shown twice, 0 invented, 0 critical ones late"), "\(output)")
        print(output)
    }

    /// Four minutes at each latency by default, eight hours in a thorough run.
    @Test func `keeps no kind of record waiting while errors come faster than a request takes`() async throws {
        var scenario = try String(contentsOfFile: Self.scenario("errors"), encoding: .utf8)
        if !Thoroughness.isThorough { scenario = scenario.replacing("advance: 8 h", with: "advance: 4 min") }
        let (status, output) = try await run(scenario)
        #expect(status == 0, "\(output)")
        #expect(output.contains(" 0 lost, 0 shown twice, 0 invented, 0 critical ones late"), "\(output)")
        print(output)
    }

    @Test func `shows each crash of a crash loop after the first launch that follows, and once`() async throws {
        let (status, output) = try await Executable.run(["simulate", Self.scenario("crash-loop")])
        #expect(status == 0, "\(output)")
        #expect(output.contains(" 0 lost, 0 shown twice, 0 invented, 0 critical ones late"), "\(output)")
    }

    /// Two launches of three are killed while they send the crash before them. The collector does not have it then, or
    /// already has it.
    @Test func `shows each crash once if most launches of a crash loop are killed while they send it`() async throws {
        let rounds = Thoroughness.count(2, thorough: 100)
        let steps = (1...rounds).map { number in
            """
              - collector: { kills: before }
              - launch: kill
              - collector: { kills: after }
              - launch: kill
              - telemetry: { event: app.crash, count: \(number) }
              - launch: crash
              - telemetry: { event: app.crash, count: \(number) }
            """
        }
        let (status, output) = try await run(
            """
            scenario: A crash loop that is killed while it sends
            app: witness-app
            time: virtual
            steps:
              - launch
              - tap: crash-next-launch
                times: \(rounds)
              - tap: crash
              - ended: crash
            \(steps.joined(separator: "\n"))
              - launch
              - tap: pay
              - background
              - advance: 2 min
              - accounted
              - telemetry: { event: app.crash, count: \(rounds + 1) }
              - status: { waiting: 0, balanced: true, dropped: 0 }
            """)
        #expect(status == 0, "\(output)")
        print("a crash loop of \(rounds + 1) crashes and \(2 * rounds) kills")
    }

    @Test func `fails and names the records if some have not arrived`() async throws {
        let (status, output) = try await run(
            """
            scenario: A collector that never comes back
            app: witness-app
            time: virtual
            steps:
              - launch
              - collector: { status: 503 }
              - tap: pay
              - advance: 1 min
              - accounted:
                timeout: 0.5
            """)
        #expect(status != 0)
        #expect(output.contains("line 9: "), "\(output)")
        #expect(output.contains("lost: number 1, critical, at 00:00:00"), "\(output)")
    }

    @Test func `fails if there were more requests than expected`() async throws {
        let (status, output) = try await run(
            """
            scenario: Impatience
            app: witness-app
            time: virtual
            steps:
              - launch
              - collector: { status: 503 }
              - advance: 10 min
              - requests: "< 2"
            """)
        #expect(status != 0)
        #expect(output.contains("line 8: expected < 2 requests; there were "), "\(output)")
    }

    private func run(_ scenario: String) async throws -> (status: Int32, output: String) {
        let folder = TemporaryDirectory()
        try PrivateFiles.makeDirectory(folder.path)
        let path = folder.path + "/a.yaml"
        try scenario.write(toFile: path, atomically: true, encoding: .utf8)
        return try await Executable.run(["simulate", path])
    }
}
