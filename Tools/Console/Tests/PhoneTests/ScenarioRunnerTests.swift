import AstrolabeCLI
import Testing

@testable import DeviceSimulator

@Suite(.timeLimit(.minutes(2)), .enabled(if: StandInApp.isAvailable, "there is no Python here"))
struct `The runner of scenarios` {
    private static func play(_ steps: String, on app: StandInApp = .counter) async throws {
        let scenario = try ScenarioReader.read("scenario: A test\nsteps:\n\(steps)\n")
        try await PhoneUnderTest.run(app) { subject in
            try await ScenarioRunner(phone: subject.phone, evidence: StoreEvidence(subject.store)).play(scenario)
        }
    }

    @Test func `does each step, as often as it says, and ends when all have come true`() async throws {
        try await Self.play(
            """
            - launch
            - tap: count
              times: 3
            - wait: { id: count, text: Tapped 3 times }
            - gone: { text: Tapped 2 times }
            - kill
            - ended: kill
            - launch
            - wait: { id: count, text: Tapped 3 times }
            - reinstall
            - wait: { id: count, text: Tapped 0 times }
            - terminate
            - ended: exit
            """)
    }

    @Test(arguments: [
        ("- wait: { id: count, text: Tapped 9 times }", "count with the text \"Tapped 9 times\""),
        ("- wait: checkout", "in vain: checkout"),
        ("- gone: count", "in vain: count to be gone"),
        ("- tap: checkout", "in vain: checkout takes tap"),
        ("- ended: crash", "in vain: the app's end by crash"),
        ("- status: { queued: \">= 1\" }", "in vain: queued: >= 1"),
    ])
    func `tells what there was instead of what was wanted`(step: String, words: String) async throws {
        let error = await #expect(throws: ScenarioRunner.Failure.self) {
            try await Self.play("- launch\n- tap: count\n\(step)\n  within: 0.4")
        }
        let description = error?.description ?? ""
        #expect(description.hasPrefix("line 5: waited 0.4 s in vain: "), "\(description)")
        #expect(description.contains(words), "\(description)")
        #expect(description.contains("The app is in front."))
        #expect(description.contains("button (count) Tapped 1 times"))
    }

    @Test func `tells how many records there were of those that were wanted`() async throws {
        let error = await #expect(throws: ScenarioRunner.Failure.self) {
            try await Self.play("- launch\n- telemetry: { span: GET, status: error, count: 2 }\n  within: 0.4")
        }
        let description = error?.description ?? ""
        #expect(description.hasPrefix("line 4: waited 0.4 s in vain: span: GET, count: 2, status: error"))
        #expect(description.hasSuffix("The collector has 0."), "\(description)")
    }

    @Test func `tells how the app ended over a step`() async throws {
        let app = StandInApp.python(
            """
            hello()
            for line in link.makefile("r"):
                type = json.loads(line)["type"]
                if type == "begin": say("screen", screen(1, "Touch me"))
                if type == "event": os.abort()
            """)
        let error = await #expect(throws: ScenarioRunner.Failure.self) {
            try await Self.play("- launch\n- tap: count\n- wait: order\n  within: 0.4", on: app)
        }
        #expect(error?.description.contains("The app crashed: SIGABRT") == true)
    }

    @Test func `gives up on an app that does not answer a touch, in the time of the step`() async throws {
        let app = StandInApp.python(
            """
            hello()
            for line in link.makefile("r"):
                if json.loads(line)["type"] == "begin": say("screen", screen(1, "Touch me"))
            """)
        let error = await #expect(throws: ScenarioRunner.Failure.self) {
            try await Self.play("- launch\n- tap: count\n  within: 0.4", on: app)
        }
        let description = error?.description ?? ""
        #expect(
            description.hasPrefix("line 4: waited 0.4 s in vain: the app's answer to tap of count"), "\(description)", )
    }

    @Test func `touches again what refuses, and says so in the end`() async throws {
        let app = StandInApp.python(
            """
            hello()
            for line in link.makefile("r"):
                message = json.loads(line)
                if message["type"] == "begin": say("screen", screen(1, "Touch me"))
                if message["type"] == "event":
                    number = message["body"]["number"]
                    say("outcome", {"number": number, "outcome": "handled" if number > 3 else "gone"})
            """)
        try await Self.play("- launch\n- tap: count", on: app)
        let error = await #expect(throws: ScenarioRunner.Failure.self) {
            try await Self.play("- launch\n- tap: count\n  within: 0.4", on: .refusing)
        }
        #expect(error?.description == "line 4: count did not take tap: gone")
    }

    @Test func `tells what the phone refused`() async throws {
        let error = await #expect(throws: ScenarioRunner.Failure.self) { try await Self.play("- launch\n- resume") }
        #expect(error?.description == "line 4: the app is in front; to resume it, it must be suspended")
    }
}
