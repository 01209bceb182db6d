import Foundation
import Testing

@testable import AstronomyShop

@MainActor
@Suite(.timeLimit(.minutes(5))) struct `The action of a tap` {
    /// An action that left the main actor before it begins could be overtaken by that of the next tap.
    @Test func `begins before that of the next tap, and so does the span in it`() async throws {
        let url = try #require(URL(string: "http://127.0.0.1"))
        let telemetry = Phone(url).telemetry
        var begun: [String] = []
        let taps = ["Use an Accepted Card", "Place Order"].map { title in
            Task {
                await telemetry.userAction(title, id: title) { _ in
                    await telemetry.span(title) { _ in begun.append(title) }
                }
            }
        }
        let next = Task { begun.append("the next tap") }
        for task in taps + [next] { await task.value }
        #expect(begun == ["Use an Accepted Card", "Place Order", "the next tap"])
    }
}
