import Astrolabe
import Testing

@testable import AstrolabeSessionReplay

@Suite struct `What is recorded of a frame` {
    private static let second: UInt64 = 1_000_000_000
    private let mask = ReplayMask(configuration: ReplayConfiguration())

    /// Returns a screen of ten texts; the first one has a word of this length.
    private func screen(_ length: Int, width: Int = 393) -> MaskedWireframe {
        let texts = (2...11).map { id in
            Wireframe.Node(id: id, role: .text, text: String(repeating: "w", count: id == 2 ? length : 3))
        }
        return mask.masked(
            Wireframe(width: width, height: 852, root: .init(id: 1, role: .screen, children: texts)))
    }

    @Test func `is everything first, then the changes`() throws {
        var tape = ReplayTape()
        #expect(tape.record(screen(1), isFirst: true, at: 0) == .keyFrame(screen(1)))
        guard case .difference(let difference, false) = tape.record(screen(2), isFirst: false, at: 1) else {
            Issue.record("expected a difference")
            return
        }
        #expect(difference.nodes.map(\.id) == [2])
    }

    @Test func `is nothing if nothing changed, however old the last key frame is`() {
        var tape = ReplayTape()
        _ = tape.record(screen(1), isFirst: true, at: 0)
        #expect(tape.record(screen(1), isFirst: false, at: 60 * Self.second) == nil)
    }

    @Test func `is everything after a pause although nothing changed`() {
        var tape = ReplayTape()
        _ = tape.record(screen(1), isFirst: true, at: 0)
        #expect(tape.record(screen(1), isFirst: true, at: 1) == .keyFrame(screen(1)))
    }

    @Test func `is everything after 40 differences`() {
        var tape = ReplayTape()
        _ = tape.record(screen(1), isFirst: true, at: 0)
        for index in 1...82 {
            let record = tape.record(screen(1 + index % 2), isFirst: false, at: UInt64(index))
            #expect(record?.isKeyFrame == (index % 41 == 0), "\(index)")
        }
    }

    @Test func `is everything at the first change 10 s after the last key frame`() {
        var tape = ReplayTape()
        _ = tape.record(screen(1), isFirst: true, at: 0)
        #expect(tape.record(screen(2), isFirst: false, at: 10 * Self.second - 1)?.isKeyFrame == false)
        #expect(tape.record(screen(1), isFirst: false, at: 10 * Self.second)?.isKeyFrame == true)
        #expect(tape.record(screen(2), isFirst: false, at: 11 * Self.second)?.isKeyFrame == false)
    }

    @Test func `is everything if the screen rotates or nearly all of it is new`() {
        var tape = ReplayTape()
        _ = tape.record(screen(1), isFirst: true, at: 0)
        #expect(tape.record(screen(1, width: 852), isFirst: false, at: 1)?.isKeyFrame == true)
        let other = mask.masked(Wireframe(width: 852, height: 852, root: .init(id: 90, role: .screen)))
        #expect(tape.record(other, isFirst: false, at: 2)?.isKeyFrame == true)
    }

    @Test func `is everything after the tape was released`() {
        var tape = ReplayTape()
        _ = tape.record(screen(1), isFirst: true, at: 0)
        tape.release()
        #expect(!tape.isHolding)
        #expect(tape.record(screen(2), isFirst: false, at: 1)?.isKeyFrame == true)
    }
}

extension ReplayTape.Record {
    fileprivate var isKeyFrame: Bool { if case .keyFrame = self { true } else { false } }
}
