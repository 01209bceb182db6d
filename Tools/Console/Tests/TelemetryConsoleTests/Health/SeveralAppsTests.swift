import BrowserKit
import Foundation
import Testing

@testable import TelemetryConsole

/// Health of a shop on Android and iOS and of a web shop, in one console.
enum SeveralApps {
    static let time: UInt64 = 1_790_000_000_000_000_000

    static func app(_ service: String, _ system: String, _ version: String, user: Int) -> [(String, JSON)] {
        let facts: [(String, JSON)] = [
            ("service.name", .string(service)), ("service.version", .string(version)),
            ("app.installation.id", .string("user-\(user)")),
        ]
        let platform: (String, JSON) =
            system == "web" ? ("telemetry.sdk.language", .string("webjs")) : ("os.name", .string(system))
        return facts + [platform]
    }

    static func event(_ name: String, user: Int, _ more: [(String, JSON)] = []) -> OTLPBody.Event {
        OTLPBody.Event(
            name: name, time: time + UInt64(user) * 1_000_000_000,
            attributes: [("session.id", .string("s-\(user)")), ("app.screen.name", "Cart")] + more)
    }

    static func jank(_ user: Int, slow: Int) -> OTLPBody.Event {
        event(
            "app.jank", user: user,
            [
                ("app.jank.frame_count", .integer(slow)), ("app.jank.threshold", .number(0.0167)),
                ("app.jank.period", .number(10)), ("astrolabe.jank.frames", .integer(600)),
                ("astrolabe.jank.longest", .number(0.05)),
            ])
    }

    /// Bodies of `/v1/logs`: three sessions on Android, two on iOS of which one crashed, and one in a browser.
    static var bodies: [JSON] {
        let crash = event("app.crash", user: 4, [("exception.type", "SIGILL"), ("exception.message", "no moon")])
        let visits: [([(String, JSON)], Int, [OTLPBody.Event])] = [
            (app("shop", "Android", "5.1.0", user: 1), 1, [jank(1, slow: 7)]),
            (app("shop", "Android", "5.1.0", user: 2), 2, []),
            (app("shop", "Android", "5.1.0", user: 3), 3, []),
            (app("shop", "iOS", "5.1.0", user: 4), 4, [jank(4, slow: 12), crash]),
            (app("shop", "iOS", "5.0.0", user: 5), 5, []),
            (app("web-shop", "web", "9.9", user: 6), 6, []),
        ]
        return visits.map { resource, user, events in
            OTLPBody.logs(resource, [event("session.start", user: user)] + events)
        }
    }
}

@Suite(.timeLimit(.minutes(3))) struct SeveralAppsTests {
    private func releases(_ console: ConsoleUnderTest, _ query: String = "") async throws -> [String] {
        try await console.get("/api/v1/health/releases\(query)")["releases"].elements.map { release in
            let words = ["service", "platform", "version"].map { release[$0].text ?? "?" }
            let numbers = ["sessions", "crashedSessions", "users"].map { "\(release[$0].int ?? -1)" }
            return (words + numbers).joined(separator: " ")
        }
    }

    @Test(arguments: TestedStore.all)
    func `an Android and an iOS release of one number are two rows, and a service has its own`(
        store: TestedStore
    ) async throws {
        try await ConsoleUnderTest.run(on: store) { console in
            for body in SeveralApps.bodies { try await console.send(body, to: .logs) }
            let shop = ["shop Android 5.1.0 3 0 3", "shop iOS 5.1.0 1 1 1", "shop iOS 5.0.0 1 0 1"]
            #expect(try await releases(console) == shop + ["web-shop web 9.9 1 0 1"])
            #expect(try await releases(console, "?service=shop") == shop)
            #expect(try await releases(console, "?service=web-shop") == ["web-shop web 9.9 1 0 1"])
            #expect(try await releases(console, "?service=nobody") == [])
        }
    }

    @Test(arguments: TestedStore.all)
    func `issues and slow screens of a service are asked for by its name`(store: TestedStore) async throws {
        try await ConsoleUnderTest.run(on: store) { console in
            for body in SeveralApps.bodies { try await console.send(body, to: .logs) }
            let groups = try await console.get("/api/v1/health/groups?service=shop")["groups"].elements
            #expect(groups.map { $0["title"].text } == ["SIGILL: no moon"])
            #expect(groups.first?["services"].elements.compactMap(\.text) == ["shop"])
            #expect(try await console.get("/api/v1/health/groups?service=web-shop")["groups"].elements.isEmpty)
            let screens = try await console.get("/api/v1/health/screens")["screens"].elements
            #expect(screens.map { $0["screen"].text } == ["Cart", "Cart"])
            #expect(screens.map { $0["platform"].text } == ["iOS", "Android"])
            #expect(screens.map { $0["late"]["slow"].int } == [12, 7])
            #expect(screens.first?["worstSessions"].elements.compactMap(\.text) == ["s-4"])
            #expect(try await console.get("/api/v1/health/screens?service=web-shop")["screens"].elements.isEmpty)
        }
    }
}
