import Astrolabe
import Combine
import Foundation
import Testing

@testable import AstronomyShop

@MainActor
@Suite(.timeLimit(.minutes(5))) struct `The app's session` {
    private func phone(_ configure: (inout TelemetryConfiguration) -> Void = { _ in }) throws -> Phone {
        Phone(try #require(URL(string: "http://127.0.0.1:1")), configure: configure)
    }

    @Test(arguments: [true, false]) func `changes when the app asks, and tells the view`(isEnabled: Bool) throws {
        let session = try phone { $0.isEnabled = isEnabled }.shop.session
        let first = session.sessionID
        #expect(session.sessionID == first)
        var changes = 0
        let subscription = session.objectWillChange.sink { _ in changes += 1 }
        #expect(session.startNewSession() == session.sessionID)
        #expect(session.sessionID != first)
        #expect(changes == 1)
        subscription.cancel()
    }

    @Test func `is the SDK's, so that records and cart agree`() throws {
        let phone = try phone()
        phone.telemetry.tracer.withSpan("work") { _ in }
        #expect(try phone.spans.one("work").text("session.id") == phone.shop.session.sessionID)
    }

    @Test func `is prolonged by what a person does, and ends without it`() async throws {
        let phone = try phone { $0.sessionLimits.inactivity = .zero }
        let first = phone.shop.session.sessionID
        #expect(phone.shop.session.sessionID == first, "reading is no activity")
        await phone.telemetry.userAction("Cart", id: "cart") { _ in }
        #expect(phone.shop.session.sessionID != first)
    }
}
