import Astrolabe
import AstrolabeTestSupport
import Testing

@testable import AstrolabeSessionReplay

@MainActor
@Suite(.timeLimit(.minutes(5))) struct `No text of the screen` {
    private static let canary = "kanarienvogel"

    /// Every role with the canary as its text, and again as a child of each.
    fileprivate static let wireframe: Wireframe = {
        let texts = Wireframe.Role.allCases.enumerated().map { index, role in
            var node = Wireframe.Node(id: 10 + index * 2, role: role, text: "a \(canary) \(canary)", name: "name")
            node.hasContent = true
            node.children = [.init(id: 11 + index * 2, role: .text, text: canary.uppercased())]
            return node
        }
        return Wireframe(width: 393, height: 852, root: .init(id: 1, role: .screen, text: canary, children: texts))
    }()

    private final class Cage: ReplaySource {
        let revision: Int? = 1

        func wireframe() -> Wireframe? { `No text of the screen`.wireframe }
    }

    private func recorded(_ change: (inout ReplayConfiguration) -> Void) async -> String {
        let replay = DrivenReplay { change(&$0) }
        let cage = Cage()
        replay.recorder.attach(cage)
        replay.recorder.apply(frameRate: 2, frameLimit: 240)
        await replay.ticks.settle()
        #expect(replay.sink.bytes.count == 1)
        return replay.sink.bytes.map { String(decoding: $0, as: UTF8.self) }.joined().lowercased()
    }

    @Test func `is in the bytes of a record`() async {
        #expect(await !recorded { _ in }.contains(Self.canary))
        #expect(await !recorded { $0.unmasked = ["other"] }.contains(Self.canary))
    }

    @Test func `is missing from unmasked elements`() async {
        #expect(await recorded { $0.masking = .inputs }.contains(Self.canary))
        #expect(await recorded { $0.unmasked = ["name"] }.contains(Self.canary))
    }

    @Test func `that is unmasked contains a secret`() async throws {
        let replay = DrivenReplay { $0.masking = .inputs }
        replay.source.show("paid with 4432-8015-6152-0454 by galileo@example.com")
        await replay.start()
        let recorded = replay.sink.bytes.map { String(decoding: $0, as: UTF8.self) }.joined()
        #expect(recorded.contains("paid with REDACTED"))
        #expect(!recorded.contains("0454") && !recorded.contains("galileo"))
    }
}
