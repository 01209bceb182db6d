import SwiftUI
import Testing
import ViewTree

/// One view with a gesture for two taps and one for a single tap.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct `Of two gestures of a view` {
    private struct Photo: View {
        let journal: Journal

        var body: some View {
            Text("photo").accessibilityIdentifier("photo")
                .onTapGesture(count: 2) { journal.note("zoomed") }
                .onTapGesture { journal.note("opened") }
            Button {
                journal.note("button")
            } label: {
                Text("label").onTapGesture(count: 2) { journal.note("twice") }.accessibilityIdentifier("label")
            }
        }
    }

    private let journal = Journal()
    private let clock = ManualFrameClock()

    @Test func `only the one for two taps runs if the second comes in time`() async {
        let host = quiet(Photo(journal: journal), clock: clock)
        host.tap("photo")
        clock.spend(.milliseconds(100))
        host.tap("photo")
        #expect(journal.take() == ["zoomed"])
        clock.run()
        await host.waitUntilSettled()
        #expect(journal.take() == [])
    }

    @Test func `only the one for a single tap runs if no second comes`() async {
        let host = quiet(Photo(journal: journal), clock: clock)
        host.tap("photo")
        #expect(journal.take() == [])
        clock.run()
        await host.waitUntilSettled()
        #expect(journal.take() == ["opened"])
        clock.spend(.seconds(1))
        host.tap("photo")
        await host.waitUntilSettled()
        #expect(journal.take() == ["opened"])
    }

    @Test func `none is that of a control around, which has its own tap`() async {
        let host = quiet(Photo(journal: journal), clock: clock)
        host.tap("label")
        clock.run()
        await host.waitUntilSettled()
        #expect(journal.take() == [])
    }
}
