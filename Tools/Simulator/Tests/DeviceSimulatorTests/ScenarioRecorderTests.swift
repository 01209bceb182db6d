import Foundation
import Testing
import ViewTree

@testable import DeviceSimulator

@Suite struct `The recorder of scenarios` {
    private static func node(
        _ id: Int, _ kind: NodeKind, _ properties: [String: NodeValue] = [:], actions: [ViewAction] = [],
        _ children: [RenderedNode] = [],
    ) -> RenderedNode {
        RenderedNode(id: id, kind: kind, properties: properties, actions: actions, children: children)
    }

    private static func text(_ id: Int, _ text: String) -> RenderedNode {
        node(id, .text, ["text": .string(text)])
    }

    private static func button(_ id: Int, _ title: String, _ identifier: String? = nil) -> RenderedNode {
        let properties = identifier.map { ["identifier": NodeValue.string($0)] } ?? [:]
        return node(id, .button, properties, actions: [.tap], [text(id + 1, title)])
    }

    private static func screen(_ title: String, _ children: RenderedNode...) -> RenderedTree {
        let page = node(2, .page, ["title": .string(title)], children)
        return RenderedTree(revision: 1, root: node(1, .window, [:], [page]))
    }

    private static let name = node(12, .textField, ["label": "Name"], actions: [.change])
    private static let first = screen("First", button(10, "Start", "start"), name)

    /// A recorder, to which events are sent one by one.
    private struct Played {
        var recorder: ScenarioRecorder
        var number = 0

        init(_ change: (inout PhoneSettings) -> Void = { _ in }) {
            var settings = PhoneSettings()
            change(&settings)
            recorder = ScenarioRecorder(app: "Pantry App", settings: settings)
        }

        mutating func send(
            _ node: Int, _ action: ViewAction, _ value: NodeValue? = nil, on screen: RenderedTree,
            _ outcome: EventOutcome? = .handled,
        ) {
            number += 1
            recorder.sent(ViewEvent(node: node, action: action, value: value), number: number, to: screen)
            if let outcome { recorder.settled(number, outcome) }
        }

        /// The steps, without the launch.
        var steps: String {
            let yaml = recorder.yaml
            return yaml.components(separatedBy: "steps:\n  - launch\n").last ?? yaml
        }
    }

    @Test func `writes taps, texts and settings, and what to wait for`() {
        var played = Played { $0.isCharging = true }
        let second = Self.screen("Second", Self.button(20, "Add"))
        played.send(12, .focus, on: Self.first)
        played.send(12, .change, "T", on: Self.first)
        played.send(12, .change, "Te", on: Self.first)
        played.send(10, .tap, on: Self.first)
        played.send(10, .tap, on: Self.first, .gone)
        played.send(20, .tap, on: second)
        var settings = PhoneSettingsUpdate()
        settings.network = .airplane
        played.recorder.note(.set(settings), on: second)
        settings.batteryLevel = 0.4
        settings.network = nil
        played.recorder.note(.set(settings), on: second)
        played.recorder.note(.perform(.kill), on: second)
        let expected = """
            scenario: Recorded with Pantry App
            phone: { isCharging: true }
            steps:
              - launch
              - wait: { text: First }
              - type: { into: Name, text: Te }
              - tap: start
              - wait: { text: Second }
              - tap: Add
              - set: { batteryLevel: 0.4, network: airplane }
              - kill

            """
        #expect(played.recorder.yaml == expected)
    }

    @Test func `counts repeated presses, and waits for what has gone`() {
        var played = Played()
        let stepper = Self.node(30, .stepper, actions: [.increment], [Self.text(31, "Guests")])
        let full = Self.screen("Plan", stepper, Self.text(32, "Too many"))
        played.send(30, .increment, on: full)
        played.send(30, .increment, on: full)
        played.send(30, .increment, on: full)
        played.recorder.finish(on: Self.screen("Plan", stepper))
        #expect(
            played.steps == """
                  - wait: { text: Plan }
                  - increment: Guests
                    times: 3
                  - gone: { text: Too many }

                """)
    }

    @Test func `writes the tap that crashed the app, and the crash`() {
        var played = Played()
        played.send(10, .tap, on: Self.first, nil)
        played.recorder.noteCrash(isLaunching: false)
        played.recorder.note(.perform(.launch), on: nil)
        played.recorder.noteCrash(isLaunching: true)
        #expect(
            played.steps == """
                  - wait: { text: First }
                  - tap: start
                  - ended: crash
                  - launch: crash

                """)
    }

    @Test func `remarks on what has no name, and forgets what the phone does not allow`() {
        var played = Played()
        let image = Self.node(40, .tapArea, actions: [.tap], [Self.node(41, .image)])
        played.send(40, .tap, on: Self.screen("Photo", image))
        played.recorder.note(.perform(.resume), on: nil)
        played.recorder.retract(.perform(.resume))
        #expect(played.steps == "  # tap on a tapArea without a name. Give it an accessibility identifier.\n")
    }

    @Test func `writes what the reader reads, whatever the texts are`() throws {
        let texts = [
            "plain", "a: b", "# x", "true", "12", "24h", "$6.07", "- x", "{ a }", "a, b", "it's", "say \"hi\"", "a\\b",
            "two\nlines", "\u{7}\u{2028}", "日本 🍚", " space ", "",
        ]
        var update = PhoneSettingsUpdate()
        update.hourCycle = .twentyFourHours
        update.isDark = true
        var actions: [Scenario.Action] = [
            .perform(.background), .launch(until: .signal), .ended(.killed), .set(update), .front(.refresh),
            .open(try #require(URL(string: "shop://products/7?a=b#c"))), .drag("card", x: 12.5, y: -3),
            .touch(.move, on: "row", value: "2"), .swipe(row: "Milk", title: nil),
        ]
        for text in texts {
            let control = ControlName(text, near: text)
            actions += [
                .touch(.tap, on: ControlName(text), value: nil), .touch(.longPress, on: control, value: nil),
                .touch(.change, on: control, value: text), .choose(text, in: control), .swipe(row: text, title: text),
                .screen(ScreenExpectation(identifier: text)), .screen(ScreenExpectation(text: text, isAbsent: true)),
                .screen(ScreenExpectation(identifier: text, text: text)),
            ]
        }
        let steps = try actions.map { "  - " + (try #require($0.yaml)) }
        let scenario = try ScenarioReader.read("scenario: A\nsteps:\n" + steps.joined(separator: "\n"))
        #expect(scenario.steps.count == actions.count)
        for (step, action) in zip(scenario.steps, actions) { #expect(step.action == action) }
    }
}
