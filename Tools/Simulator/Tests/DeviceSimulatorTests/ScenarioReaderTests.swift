import AstrolabeSeededRandomness
import AstrolabeTestSupport
import DeviceLink
import Foundation
import Testing
import ViewTree

@testable import DeviceSimulator

@Suite struct `The reader of scenarios` {
    /// - Parameter steps: From the third line on.
    private static func scenario(_ steps: String) -> String { "scenario: A test\nsteps:\n\(steps)\n" }

    @Test func `reads every step`() throws {
        let text = """
            scenario: All there is
            app: witness-app
            time: virtual
            phone: { network: weak, batteryLevel: 0.4, isDark: true, textSize: accessibility1, sampling: nothing }
            steps:
              - launch
              - memoryWarning
              - back
              - tap: a
                times: 3
              - type: { into: b, text: "0123" }
                timeout: 2.5
              - choose: { in: c, title: Visa }
              - increment: d
              - decrement: d
              - submit: b
              - set: { thermal: serious, isCharging: true }
              - wait: e
              - gone: { id: e, text: f }
              - wait: { text: $8.99 }
              - ended: crash
              - status: { mode: minimal, waiting: "< 3", queued: 0, dropped: <= 1, delivered: "> 4", balanced: true }
              - status: { upload: queued, screen: Home }
              - telemetry: { span: GET, service: shop, status: error, count: ">= 2", where: { a.b: 7 } }
              - telemetry: { event: tap }
              - advance: 1.5 h
              - clock: -2 d
              - collector: { status: 429, retryAfter: 30 }
              - collector: { portal: redirect, delay: 2, bytesPerSecond: 2000 }
              - collector: { kills: after }
              - collector: works
              - requests: "<= 60"
              - accounted
              - launch: kill
              - move: { row: e, to: 2 }
              - hold: e
              - drag: { id: e, x: -40.5 }
              - open: shop://products/7
              - waited: "<= 180"
              - keepRecording
              - promoted: { trigger: run_end, trace: [GET, charge card] }
              - status: { recorded: "> 9" }
              - tap: { name: Add, near: Milk }
              - swipe: Milk
              - swipe: { row: Milk, action: Flag }
              - backend: { paymentFailure: 100, adFailure: true, motd: Hello }
            """
        let scenario = try ScenarioReader.read(text)
        #expect(scenario.name == "All there is")
        #expect(scenario.phone.network == .weak)
        #expect(scenario.phone.textSize == "accessibility1" && scenario.phone.sampling == .nothing)
        #expect(scenario.app == "witness-app" && scenario.isVirtual)
        try #require(scenario.steps.count == 39)
        #expect(scenario.steps.map(\.line).first == 6)
        #expect(scenario.steps[3].action == .touch(.tap, on: "a", value: nil))
        #expect(scenario.steps[3].times == 3)
        #expect(scenario.steps[4].action == .touch(.change, on: "b", value: "0123"))
        #expect(scenario.steps[4].timeout == 2.5)
        #expect(scenario.steps[5].action == .choose("Visa", in: "c"))
        #expect(scenario.steps[11].action == .screen(ScreenExpectation(identifier: "e", text: "f", isAbsent: true)))
        #expect(scenario.steps[13].action == .ended(.signal))
        var expectation = TelemetryExpectation(kind: .span, name: "GET", count: NumberExpectation(.atLeast, 2))
        expectation.service = "shop"
        expectation.status = "error"
        expectation.attributes = ["a.b": "7"]
        #expect(scenario.steps[16].action == .telemetry(expectation))
        #expect(scenario.steps[17].action == .telemetry(TelemetryExpectation(kind: .event, name: "tap")))
        #expect(scenario.steps[18].action == .advance(5_400))
        #expect(scenario.steps[19].action == .clock(-172_800))
        #expect(scenario.steps[20].action == .collector(CollectorUpdate(response: .status(429, retryAfter: 30))))
        #expect(
            scenario.steps[21].action
                == .collector(CollectorUpdate(response: .redirect, delay: 2, bytesPerSecond: 2_000)))
        #expect(scenario.steps[22].action == .collector(CollectorUpdate(response: .kills(isTaken: true))))
        #expect(scenario.steps[23].action == .collector(CollectorUpdate()))
        #expect(scenario.steps[24].action == .requests(NumberExpectation(.atMost, 60)))
        #expect(scenario.steps[25].action == .accounted)
        #expect(scenario.steps[26].action == .launch(until: .killed))
        #expect(scenario.steps[27].action == .touch(.move, on: "e", value: "2"))
        #expect(scenario.steps[28].action == .touch(.longPress, on: "e", value: nil))
        #expect(scenario.steps[29].action == .drag("e", x: -40.5, y: 0))
        #expect(scenario.steps[30].action == .open(try #require(URL(string: "shop://products/7"))))
        #expect(scenario.steps[31].action == .waited(NumberExpectation(.atMost, 180)))
        #expect(scenario.steps[32].action == .perform(.keepRecording))
        #expect(
            scenario.steps[33].action
                == .promoted(PromotionExpectation(trigger: "run_end", trace: ["GET", "charge card"])))
        #expect(scenario.steps[34].action == .status([.recorded(NumberExpectation(.more, 9))]))
        #expect(scenario.steps[35].action == .touch(.tap, on: ControlName("Add", near: "Milk"), value: nil))
        #expect(scenario.steps[36].action == .swipe(row: "Milk", title: nil))
        #expect(scenario.steps[37].action == .swipe(row: "Milk", title: "Flag"))
        #expect(
            scenario.steps[38].action
                == .backend(["paymentFailure": 100, "adFailure": true, "motd": "Hello"]))
    }

    @Test(arguments: [
        ("", "expected a mapping with scenario: and steps:"),
        ("- launch", "line 1: expected a mapping with scenario: and steps:"),
        ("scenario: A\nsteps: [launch", "line 3: invalid YAML: "),
        ("scenario: A\n\tsteps: []", "line 2: invalid YAML: "),
        ("scenario: A\nscenario: B", "duplicate key: scenario"),
        ("scenario: A\nsteps: launch", "line 2: steps: expected a list"),
        ("scenario: A\nsteps: []", "line 1: expected steps: with at least one step"),
        ("steps:\n  - launch", "line 1: expected scenario: with a name"),
        ("scenario: [A]\nsteps:\n  - launch", "line 1: scenario: expected a string"),
        ("scenario: A\nstep:\n  - launch", "line 2: expected one of scenario, app, time, phone, steps; found step"),
        ("scenario: A\nphone: wifi\nsteps: [launch]", "line 2: expected settings of the phone: network, "),
        ("scenario: A\nphone: { wifi: true }\nsteps: [launch]", "line 2: expected one of network, batteryLevel"),
        (
            "scenario: A\nphone:\n  isDark: true\n  network: lte\nsteps: [launch]",
            "line 4: network: expected wifi, cellular, weak, airplane; found lte",
        ),
        (scenario("- lunch"), "line 3: expected one of launch, terminate, kill"),
        (scenario("- launch\n- [launch]"), "line 4: expected a step, such as - tap: go-shopping"),
        (scenario("- timeout: 3"), "line 3: expected a step, such as - tap: go-shopping"),
        (scenario("- tab: a"), "line 3: expected one of tap, type, choose"),
        (scenario("- tap: [a]"), "line 3: tap: expected a string"),
        (scenario("- tap: a\n  wait: b"), "line 4: a step has one action; start another step with a dash"),
        (scenario("- tap: a\n  timeout: soon"), "line 4: timeout: expected seconds from 0.1 to 600"),
        (scenario("- tap: a\n  timeout: 601"), "line 4: timeout: expected seconds from 0.1 to 600"),
        (scenario("- tap: a\n  times: 0"), "line 4: times: expected a number from 1 to 1000"),
        (scenario("- drag: { x: 40 }"), "line 3: missing id:"),
        (scenario("- tap: { name: a }"), "line 3: missing near:"),
        (scenario("- swipe: { action: a }"), "line 3: missing row:"),
        (scenario("- backend: on"), "line 3: backend: expected flags, such as paymentFailure: 100"),
        (scenario("- drag: { id: a }"), "line 3: drag: expected x: or y: in points, up to 10000, and not both 0"),
        (scenario("- drag: { id: a, y: far }"), "line 3: drag: expected x: or y: in points"),
        (scenario("- open: cart"), "line 3: open: expected a URL with a scheme, such as shop://cart"),
        (scenario("- type: a"), "line 3: expected a mapping with into: and text:"),
        (scenario("- type: { into: a }"), "line 3: missing text:"),
        (scenario("- choose:\n    in: a\n    item: b"), "line 5: expected one of in, title, near; found item"),
        (scenario("- set: { batteryLevel: 80 }"), "line 3: batteryLevel: expected 0 to 1; found 80"),
        (scenario("- set: { batteryLevel: half }"), "line 3: batteryLevel: expected a number from 0 to 1; found half"),
        (scenario("- set: { isDark: [] }"), "line 3: isDark: expected true, false; found another type"),
        (scenario("- set: { textSize: huge }"), "line 3: textSize: expected one of xSmall, "),
        (
            scenario("- set: { timeZone: Berlin }"),
            "line 3: timeZone: expected automatic, UTC, or an identifier such as Europe/Berlin; found Berlin",
        ),
        (
            scenario("- set: { device: iphone-1 }"),
            "line 3: device: expected iphone-se-3, iphone-16e, iphone-15-pro, iphone-16, iphone-16-pro, "
                + "iphone-16-pro-max, ipad-mini, ipad-pro-11; found iphone-1",
        ),
        (
            scenario("- set: { calendar: julian }"),
            "line 3: calendar: expected gregorian, japanese, buddhist; found julian",
        ),
        (
            scenario("- set: { locale: Klingon }"),
            "line 3: locale: expected an identifier such as en_US; found Klingon",
        ),
        (scenario("- wait: {}"), "line 3: expected id: or text:, or both"),
        (scenario("- wait: { name: a }"), "line 3: expected one of id, text; found name"),
        (scenario("- launch: twice"), "line 3: launch: expected one of exit, crash, kill; found twice"),
        (scenario("- ended: exploded"), "line 3: ended: expected one of exit, crash, kill; found exploded"),
        (scenario("- status: minimal"), "line 3: status: expected a mapping"),
        (scenario("- status: { balanced: perhaps }"), "line 3: balanced: expected true or false"),
        (scenario("- status: { queued: many }"), #"line 3: expected a number, such as 3 or ">= 2""#),
        (scenario("- status: { lost: 3 }"), "line 3: expected one of mode, upload, waiting"),
        (scenario("- telemetry: tap"), "line 3: telemetry: expected a mapping"),
        (scenario("- telemetry: { count: 3 }"), "line 3: telemetry: expected span: or event: with a name"),
        (scenario("- telemetry: { span: a, event: b }"), "line 3: telemetry: expected span: or event:, not both"),
        (scenario("- telemetry: { span: a, count: few }"), #"line 3: expected a number, such as 3 or ">= 2""#),
        (scenario("- telemetry: { span: a, status: bad }"), "line 3: status: expected unset, ok, or error; found bad"),
        (scenario("- telemetry: { span: a, where: b }"), "line 3: where: expected a mapping"),
        (scenario("- telemetry: { span: a, lane: b }"), "line 3: expected one of span, event, count, service"),
        (
            scenario("- set: { sampling: some }"),
            "line 3: sampling: expected automatic, policy, everything, nothing; found some",
        ),
        (scenario("- promoted: http"), "line 3: promoted: expected a mapping with trigger: and trace:"),
        (scenario("- promoted: { trigger: http }"), "line 3: missing trace:"),
        (scenario("- promoted: { trace: [a] }"), "line 3: missing trigger:"),
        (scenario("- promoted: { trigger: fire, trace: [a] }"), "line 3: trigger: expected one of crash, exception"),
        (scenario("- promoted: { trigger: http, trace: a }"), "line 3: trace: expected a list of names of spans"),
        (scenario("- promoted: { trigger: http, trace: [[a]] }"), "line 3: trace: expected a string"),
        (scenario("- promoted: { trigger: http, span: a }"), "line 3: expected one of trigger, trace; found span"),
        ("scenario: A\ntime: slow\nsteps: [launch]", "line 2: time: expected one of real, virtual; found slow"),
        (scenario("- advance: 1 h"), "line 3: this step needs `time: virtual` at the top of the scenario"),
        (scenario("- collector: { delay: 3 }"), "line 3: this step needs `time: virtual`"),
        (scenario("- advance: 20"), "line 3: expected a number and s, min, h or d, such as 20 min"),
        (scenario("- advance: 2 d"), "line 3: advance: expected 0 to 24 h"),
        (scenario("- collector: broken"), "line 3: collector: expected works, or a mapping with status:"),
        (scenario("- collector: { status: 9 }"), "line 3: status: expected 100 to 599"),
        (scenario("- collector: { portal: door }"), "line 3: portal: expected page or redirect"),
        (scenario("- collector: { status: 503, loses: requests }"), "line 3: collector: expected one of status:"),
        (scenario("- collector: { retryAfter: 3 }"), "line 3: retryAfter: expected status: beside it"),
    ])
    func `names the line of a fault, and what was expected`(text: String, words: String) throws {
        let error = #expect(throws: ScenarioError.self) { try ScenarioReader.read(text) }
        let description = error?.description ?? ""
        #expect(words.hasPrefix("line") ? description.hasPrefix(words) : description.contains(words), "\(description)")
    }

    @Test func `reads the scenarios that ship`() throws {
        let files = try ShippedScenarios.all()
        #expect(files.count >= 7)
        let scenarios = try files.map { try ScenarioReader.read(try String(contentsOf: $0, encoding: .utf8)) }
        #expect(Set(scenarios.map(\.name)).count == files.count)
        for scenario in scenarios {
            #expect(scenario.steps.prefix(2).contains { $0.action == .perform(.launch) }, "\(scenario.name)")
        }
    }

    @Test func `takes anything at all, and never traps`() throws {
        var chance = SeededGenerator(seed: 42)
        let seeds = try ShippedScenarios.all().map { Array(try String(contentsOf: $0, encoding: .utf8)) }
        let pieces = [
            "- ", "  ", "\n", ":", "{", "}", "[", "]", "\"", "'", "|", ">", "&a ", "*a", "!!", "%", "\t", "#", "---\n",
            "\u{0}", "\u{feff}", "é", "~", "null", "1e999", "-", "launch", "<<: ", "? ", "tap", "timeout: ",
            "9999999999",
        ]
        var read = 0
        for _ in 0..<2_000 {
            var text = seeds[chance.number(below: seeds.count)]
            for _ in 0...chance.number(below: 6) {
                let start = chance.number(below: text.count)
                let end = min(start + chance.number(below: 12), text.count)
                text.replaceSubrange(start..<end, with: Array(pieces[chance.number(below: pieces.count)]))
            }
            do throws(ScenarioError) {
                let scenario = try ScenarioReader.read(String(text))
                read += 1
                #expect(!scenario.name.isEmpty && !scenario.steps.isEmpty)
                #expect(
                    scenario.steps.allSatisfy { (0.1...600).contains($0.timeout) && (1...1_000).contains($0.times) })
            } catch {
                #expect(!error.message.isEmpty)
            }
        }
        // Both happen, or nothing was tried.
        #expect((100..<1_900).contains(read), "\(read) were read")
    }
}

/// The files of the repository's `Scenarios`.
enum ShippedScenarios {
    static func all() throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: Repository.file("Examples/AstronomyShop/Scenarios"), includingPropertiesForKeys: nil,
        )
        .filter { $0.pathExtension == "yaml" }.sorted { $0.path < $1.path }
    }
}

/// The same numbers in every run.
extension SeededGenerator {
    fileprivate mutating func number(below limit: Int) -> Int {
        limit > 0 ? Int.random(in: 0..<limit, using: &self) : 0
    }
}
