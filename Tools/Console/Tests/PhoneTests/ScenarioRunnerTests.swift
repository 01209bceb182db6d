import AstrolabeCommands
import AstrolabePlatform
import Foundation
import Testing
import ViewTree

@testable import DeviceSimulator

@Suite(.timeLimit(.minutes(10)), .enabled(if: StandInApp.isAvailable, "there is no Python here"))
struct `The runner of scenarios` {
    private static func play(_ steps: String, on app: StandInApp = .counter) async throws {
        let scenario = try Self.scenario(steps)
        try await PhoneUnderTest.run(app) { subject in try await Self.runner(of: subject).play(scenario) }
    }

    private static func scenario(_ steps: String) throws -> Scenario {
        var scenario = try ScenarioReader.read("scenario: A test\nsteps:\n\(steps)\n")
        scenario.allowMoreTime()
        return scenario
    }

    private static func runner(of subject: PhoneUnderTest) -> ScenarioRunner {
        ScenarioRunner(phone: subject.phone, evidence: StoreEvidence(subject.store))
    }

    @Test func `does each step, as often as it says, and ends when all have passed`() async throws {
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

    @Test func `drags over a view, if the way is long enough for it`() async throws {
        let area = RenderedNode(
            id: 2, kind: .dragArea, properties: ["identifier": "card", "distance": 30], actions: [.drag],
            children: [RenderedNode(id: 3, kind: .text, properties: ["text": "none"], actions: [], children: [])])
        let root = RenderedNode(id: 1, kind: .window, properties: [:], actions: [], children: [area])
        let app = try StandInApp.showingEvents(RenderedTree(revision: 1, root: root), in: 3)
        try await Self.play(
            """
            - launch
            - drag: { id: card, x: 40, y: -20 }
            - wait: { text: "drag 2 changed 40 -20, drag 2 ended 40 -20" }
            """, on: app)
        let error = await #expect(throws: ScenarioRunner.Failure.self) {
            try await Self.play("- launch\n- drag: { id: card, x: 20, y: 20 }", on: app)
        }
        #expect(error?.description == "line 4: the drag is too short: \"card\" expects at least 30 points")
    }

    @Test(arguments: [
        ("- wait: { id: count, text: Tapped 9 times }", "\"count\" with the text \"Tapped 9 times\""),
        ("- wait: checkout", "waiting for \"checkout\""),
        ("- gone: count", "waiting for \"count\" to disappear"),
        ("- tap: checkout", "waiting for \"checkout\" to accept tap"),
        ("- ended: crash", "waiting for the app to end by crash"),
        ("- status: { queued: \">= 1\" }", "waiting for queued: >= 1"),
    ])
    func `reports the state of the app when a step times out`(step: String, words: String) async throws {
        let error = await #expect(throws: ScenarioRunner.Failure.self) {
            try await Self.play("- launch\n- tap: count\n\(step)\n  timeout: 0.4")
        }
        let description = error?.description ?? ""
        #expect(description.hasPrefix("line 5: timed out after 0.4 s waiting for "), "\(description)")
        #expect(description.contains(words), "\(description)")
        #expect(description.contains("The app is in the foreground."))
        #expect(description.contains("button (count) Tapped 1 times"))
    }

    @Test func `taps a button by its words, and lists names like one that is not there`() async throws {
        try await Self.play("- launch\n- tap: Tapped 0 times\n- wait: { id: count, text: Tapped 1 times }")
        let error = await #expect(throws: ScenarioRunner.Failure.self) {
            try await Self.play("- launch\n- tap: counts\n  timeout: 0.4")
        }
        #expect(error?.description.contains("\nDid you mean \"count\"?\n") == true, "\(error?.description ?? "")")
    }

    @Test func `sends flags to the app's backend, and fails without one`() async throws {
        let error = await #expect(throws: ScenarioRunner.Failure.self) {
            try await Self.play("- backend: { paymentFailure: 100 }")
        }
        #expect(error?.description == "line 3: the app has no backend")
        let sent = Locked<[String]>([])
        let scenario = try Self.scenario("- backend: { paymentFailure: 100 }")
        try await PhoneUnderTest.run(.counter) { subject in
            let evidence = StoreEvidence(subject.store)
            let runner = ScenarioRunner(phone: subject.phone, evidence: evidence) { json in
                sent.withLock { $0.append(String(decoding: json, as: UTF8.self)) }
            }
            try await runner.play(scenario)
        }
        #expect(sent.withLock { $0 } == [#"{"paymentFailure":100}"#])
    }

    @Test func `reports how many matching records there were`() async throws {
        let error = await #expect(throws: ScenarioRunner.Failure.self) {
            try await Self.play("- launch\n- telemetry: { span: GET, status: error, count: 2 }\n  timeout: 0.4")
        }
        let description = error?.description ?? ""
        #expect(description.hasPrefix("line 4: timed out after 0.4 s waiting for span: GET, count: 2, status: error"))
        #expect(description.hasSuffix("The collector received 0 matching records."), "\(description)")
    }

    @Test func `asks the app for its recording, and reports what no trace has`() async throws {
        let app = StandInApp.python(
            """
            hello()
            for line in link.makefile("r"):
                type = json.loads(line)["type"]
                if type == "begin": say("screen", screen(1, "Touch me"))
                if type == "keepRecording": say("screen", screen(2, "Kept"))
            """)
        let error = await #expect(throws: ScenarioRunner.Failure.self) {
            try await Self.play(
                """
                - launch
                - keepRecording
                - wait: { id: count, text: Kept }
                - promoted: { trigger: app, trace: [GET, charge card] }
                  timeout: 0.4
                """, on: app)
        }
        let expected = """
            line 6: timed out after 0.4 s waiting for a trace that was promoted by app with GET, charge card
            The collector received no promoted span.
            """
        #expect(error?.description == expected)
    }

    @Test func `reports how the app ended during a step`() async throws {
        let app = StandInApp.python(
            """
            hello()
            for line in link.makefile("r"):
                type = json.loads(line)["type"]
                if type == "begin": say("screen", screen(1, "Touch me"))
                if type == "event": os.abort()
            """)
        let error = await #expect(throws: ScenarioRunner.Failure.self) {
            try await Self.play("- launch\n- tap: count\n- ended: crash\n- wait: order\n  timeout: 0.4", on: app)
        }
        #expect(error?.description.hasPrefix("line 6: timed out after 0.4 s waiting for \"order\"") == true)
        #expect(error?.description.contains("The app crashed: SIGABRT") == true)
    }

    @Test func `fails a launch at once if the app ends before its first screen`() async throws {
        // After its timeout, the step fails with another message.
        let error = await #expect(throws: ScenarioRunner.Failure.self) {
            try await Self.play("- launch", on: .shell("exit 0"))
        }
        let description = error?.description ?? ""
        #expect(
            description.hasPrefix("line 3: the launch failed: expected the app to come to the foreground\n"),
            "\(description)")
        #expect(description.contains("without hello over the link. \(AppEnd.linkAdvice)."), "\(description)")
    }

    @Test func `times out if the app does not respond to a touch`() async throws {
        let app = StandInApp.python(
            """
            hello()
            for line in link.makefile("r"):
                if json.loads(line)["type"] == "begin": say("screen", screen(1, "Touch me"))
            """)
        let error = await #expect(throws: ScenarioRunner.Failure.self) {
            try await Self.play("- launch\n- tap: count\n  timeout: 0.4", on: app)
        }
        let description = error?.description ?? ""
        #expect(
            description.hasPrefix("line 4: timed out after 0.4 s waiting for the app's response to tap on \"count\""),
            "\(description)")
    }

    @Test func `retries a rejected touch, and reports the rejection when it times out`() async throws {
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
            try await PhoneUnderTest.run(.refusing) { subject in
                let scenario = try Self.scenario("- launch\n- tap: count\n  timeout: 600")
                let events = await subject.phone.subscribe().events
                let playing = Task { try await Self.runner(of: subject).play(scenario) }
                var rejections = 0
                for await case .outcome in events {
                    rejections += 1
                    if rejections == 2 { break }
                }
                // Ends the wait as the timeout does.
                playing.cancel()
                try await playing.value
            }
        }
        #expect(error?.description == "line 4: \"count\" did not accept tap: gone")
    }

    @Test func `reports an action that the phone does not allow`() async throws {
        let error = await #expect(throws: ScenarioRunner.Failure.self) { try await Self.play("- launch\n- resume") }
        #expect(error?.description == "line 4: the app is in the foreground; to resume it, it must be suspended")
    }
}
