import AstrolabeDeviceConditions
import AstrolabeTestSupport
import Foundation
import Testing
import ViewTree

@testable import DeviceLink

@Suite(.timeLimit(.minutes(2))) struct `Docs/Internals/DeviceLink.md` {
    private let text: String

    init() throws {
        text = try String(contentsOf: Repository.file("Docs/Internals/DeviceLink.md"), encoding: .utf8)
    }

    @Test func `shows a message of every type, each as it goes over the wire`() throws {
        let sections = text.components(separatedBy: "\n## ")
        let app = try #require(sections.first { $0.hasPrefix("Messages from the app") })
        let device = try #require(sections.first { $0.hasPrefix("Messages from the device") })
        let types = try Set(lines(of: app).map { try check($0, as: AppMessage.self) })
        #expect(types == ["hello", "screen", "patch", "outcome", "resource", "frames", "status", "clock"])
        let others = try Set(lines(of: device).map { try check($0, as: DeviceMessage.self) })
        #expect(
            others == [
                "begin", "conditions", "settings", "event", "open", "resource", "screen", "clock", "keepRecording",
                "terminate",
            ])
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "there is no Python here"))
    func `ends with a program that is an app`() async throws {
        let program = try #require(
            text.components(separatedBy: "```python\n").last?.components(separatedBy: "```").first)
        let folder = try madeFolder()
        let listener = try LinkListener(path: folder.path + "/link")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", program]
        process.environment = ["ASTROLABE_DEVICE_LINK": folder.path + "/link"]
        try process.run()
        defer { process.terminate() }
        let device = try await listener.accepted()
        device.send(.begin(DeviceBegin(conditions: Conditions(), settings: DeviceSettings())))
        for _ in 1...2 { device.send(.event(NumberedEvent(number: 1, event: ViewEvent(node: 2, action: .tap)))) }
        device.send(.event(NumberedEvent(number: 2, event: ViewEvent(node: 3, action: .tap))))
        device.send(.terminate)
        var screen: RenderedTree?
        var outcomes: [EventOutcome] = []
        for await message in device.messages {
            switch message {
            case .screen(let tree): screen = tree
            case .patch(let patch): screen = screen.flatMap { patch.applied(to: $0) }
            case .outcome(let reply): outcomes.append(reply.outcome)
            default: break
            }
        }
        #expect(screen?.root.identified(by: "count")?.properties["label"] == "Tapped 2 times")
        #expect(outcomes == [.handled, .handled, .gone])
        #expect(device.malformedCount == 0)
    }

    private func lines(of section: String) -> [String] {
        section.components(separatedBy: "\n").filter { $0.hasPrefix(#"{"type":"#) }
    }

    /// Gives its type; fails where a member of the example is none of the message's.
    private func check(_ line: String, as type: (some LinkMessage).Type) throws -> String {
        let message = try JSONDecoder().decode(type, from: Data(line.utf8))
        let ours = try #require(JSONSerialization.jsonObject(with: JSONEncoder().encode(message)) as? [String: Any])
        let theirs = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        expectSubset(theirs, of: ours, in: line)
        return try #require(theirs["type"] as? String)
    }

    private func expectSubset(_ part: [String: Any], of whole: [String: Any], in line: String) {
        for (key, value) in part {
            #expect(whole[key] != nil, "\(key) in \(line)")
            if let value = value as? [String: Any], let other = whole[key] as? [String: Any] {
                expectSubset(value, of: other, in: line)
            }
        }
    }
}
