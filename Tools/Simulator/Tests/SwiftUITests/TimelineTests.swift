import Foundation
import SwiftUI
import Testing
import ViewTree

@MainActor
@Suite(.timeLimit(.minutes(2))) struct `In the course of time` {
    private let start = Date(timeIntervalSinceReferenceDate: 90)

    @Test func `a schedule has its moments from the one before the start on`() {
        func moments(_ schedule: some TimelineSchedule) -> [Double] {
            schedule.entries(from: start, mode: .normal).prefix(3).map(\.timeIntervalSinceReferenceDate)
        }
        #expect(moments(.everyMinute) == [60, 120, 180])
        #expect(moments(.periodic(from: start.addingTimeInterval(-25), by: 10)) == [85, 95, 105])
        #expect(moments(.explicit([start, start.addingTimeInterval(5)])) == [90, 95])
        #expect(moments(.animation(minimumInterval: 0.5)) == [90, 90.5, 91])
        #expect(moments(.animation(minimumInterval: 0.5, paused: true)) == [90])
    }

    @Test func `a timeline shows the last moment that has passed, and then each one that comes`() async throws {
        let past = [Date(timeIntervalSince1970: 1), Date(timeIntervalSince1970: 2)]
        let host = quiet(
            TimelineView(.explicit(past)) { context in Text("\(Int(context.date.timeIntervalSince1970)) passed") })
        try await host.waitUntil("the last of them is shown") { $0.contains(text: "2 passed") }
        let journal = Journal()
        let ticking = quiet(
            TimelineView(.periodic(from: .now, by: 0.005)) { context in
                let _ = journal.note("\(context.date.timeIntervalSince1970)")
                Text("\(context.date.timeIntervalSince1970)")
            })
        try await ticking.waitUntil("several moments have come") { _ in Set(journal.lines).count > 3 }
        ticking.close()
    }

    private struct Rescheduled: View {
        @State private var isLater = false

        var body: some View {
            Button("Later") { isLater = true }.accessibilityIdentifier("later")
            TimelineView(.explicit([Date(timeIntervalSince1970: isLater ? 2 : 1)])) { context in
                Text("\(Int(context.date.timeIntervalSince1970)) passed")
            }
        }
    }

    @Test func `a timeline follows another schedule from then on`() async throws {
        let host = quiet(Rescheduled())
        try await host.waitUntil("the moment of the first schedule is shown") { $0.contains(text: "1 passed") }
        host.tap("later")
        try await host.waitUntil("that of the next one is shown") { $0.contains(text: "2 passed") }
    }

    private struct Pulse: View {
        let journal: Journal
        @State private var taps = 0

        var body: some View {
            Button("Tap") { taps += 1 }.accessibilityIdentifier("tap")
            Text("a").phaseAnimator([1, 2, 3], trigger: taps) { view, phase in
                let _ = journal.note("\(phase)")
                view.opacity(Double(phase) / 4)
            } animation: { _ in
                .linear(duration: 0.01)
            }
        }
    }

    @Test func `a view goes through its phases once for each change of a value`() async throws {
        let journal = Journal()
        let host = quiet(Pulse(journal: journal))
        await host.waitUntilSettled()
        #expect(Set(journal.take()) == ["1"])
        host.tap("tap")
        await host.waitUntilSettled()
        let phases = journal.take().reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
        #expect(phases == ["1", "2", "3", "1"] || phases == ["2", "3", "1"])
        #expect(host.tree.root.first { $0.kind == .opacity }?.properties["opacity"] == 0.25)
    }

    @Test func `or again and again while it is seen`() async throws {
        let journal = Journal()
        let host = quiet(
            PhaseAnimator([false, true]) { phase in
                let _ = journal.note("\(phase)")
                Text("\(phase)")
            } animation: { _ in
                .linear(duration: 0.001)
            })
        try await host.waitUntil("it has gone round twice") { _ in journal.lines.filter { $0 == "true" }.count > 2 }
        host.close()
    }
}
