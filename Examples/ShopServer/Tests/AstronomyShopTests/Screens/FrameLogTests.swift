#if os(Linux)
import ViewTree
import SwiftUI
import Testing

@testable import AstronomyShop

/// Frames as the display has them, at its pace.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct `The log of frames` {
    /// A frame at 60 a second.
    private static let slow = Duration.seconds(1) / 60

    @Test func `shows the comet's to be slow, because of what their bodies compute`() async throws {
        var frames: [FrameRecord] = []
        let host = ViewHost(SlowCometAnimation(onEnd: {}))
        host.onFrame = { frames.append($0) }
        try await host.waitUntil("six frames have been shown") { _ in frames.count >= 6 }
        host.close()
        let slow = frames.filter { $0.duration > Self.slow }
        #expect(slow.count * 2 > frames.count, "\(slow.count) of \(frames.count) were slow")
        #expect(slow.allSatisfy { $0.evaluations > 0 })
        #expect(frames.contains { $0.missed > 0 })
    }

    @Test func `has none to show of a list that nobody touches`() async throws {
        try await withPhone { phone, _ in
            let host = screens(of: phone)
            try await host.openShop()
            var frames: [FrameRecord] = []
            host.onFrame = { frames.append($0) }
            let clock = LiveFrameClock()
            for tick in 1...30 { await clock.wait(until: clock.interval * tick) }
            #expect(frames.isEmpty)
        }
    }
}
#endif
