import Foundation
import Testing

@testable import TelemetryBoards

@Suite struct `A webhook` {
    @Test(
        arguments: [
            ("hooks.slack.com", .slack), ("hooks.slack-gov.com", .slack), ("contoso.webhook.office.com", .teams),
            ("prod-7.westeurope.logic.azure.com", .teams), ("EVENTS.pagerduty.com", .pagerduty),
            ("events.eu.pagerduty.com", .pagerduty), ("hooks.example.com", .json), ("notslack.com", .json),
            ("127.0.0.1", .json), (nil, .json),
        ] as [(String?, Webhook.Format)])
    func `has the format of its host unless its file says another`(host: String?, format: Webhook.Format) {
        #expect(Webhook.Format(host: host) == format)
    }

    @Test(arguments: [
        Webhook.variable("HOOK"), Webhook(.variable("HOOK"), format: .pagerduty),
        .loopback("http://127.0.0.1:9000/a"), Webhook(.loopback("http://127.0.0.1:9000/a"), format: .teams),
    ])
    func `is stored as its text with its format`(webhook: Webhook) throws {
        let stored = try JSONEncoder().encode([webhook])
        #expect(try JSONDecoder().decode([Webhook].self, from: stored) == [webhook])
    }

    @Test func `without a format is stored as before there were formats`() throws {
        let stored = try JSONDecoder().decode([Webhook].self, from: Data(#"["$HOOK"]"#.utf8))
        #expect(stored == [.variable("HOOK")])
    }
}
