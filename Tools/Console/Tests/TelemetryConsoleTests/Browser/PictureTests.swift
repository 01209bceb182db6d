import BrowserKit
import Foundation
import Testing

@testable import TelemetryConsole

/// Takes pictures for the documentation's site: `./astrolabe docs --pictures`.
@Suite(
    .enabled(
        if: WebDriver.isAvailable && ProcessInfo.processInfo.environment["ASTROLABE_PICTURES"] != nil,
        "pictures are taken when ASTROLABE_PICTURES names a folder and chromium and chromedriver are there",
    )
)
struct PictureTests {
    @Test(arguments: [true, false])
    func `screenshots of sessions, a session, a device, a trace and metrics`(dark: Bool) async throws {
        let folder = URL(fileURLWithPath: ProcessInfo.processInfo.environment["ASTROLABE_PICTURES"] ?? ".")
        let theme = dark ? "dark" : "light"
        try await ConsoleUnderTest.run { console in
            let visit = try await PictureVisits.send(to: console)
            try await WebDriver.run(width: 1440, height: 900, dark: dark) { browser in
                func take(_ name: String) async throws {
                    try await browser.wait(until: "document.getAnimations().every((a) => a.playState === 'finished')")
                    let data = try await browser.screenshot()
                    #expect(data.count < 300_000, "\(name) is \(data.count) bytes")
                    try data.write(to: folder.appendingPathComponent("console-\(name)-\(theme).png"))
                }
                try await browser.open("\(console.address)/sessions")
                try await browser.wait(until: "document.querySelectorAll('.entry').length >= 8")
                try await browser.wait(until: "document.querySelector('.live').dataset.state === 'open'")
                try await take("sessions")
                try await browser.open("\(console.address)/sessions/\(visit.session)")
                try await browser.wait(until: "document.querySelectorAll('.moment').length > 10")
                try await browser.press("n", "n", Key.enter)
                try await browser.wait(until: "document.querySelector('.unfolded')")
                try await take("session")
                let tunnel = ShopVisit.tunnel(
                    number: 40, start: UInt64(Date().timeIntervalSince1970) * 1_000_000_000 - 400_000_000_000,
                    installation: 1,
                )
                try await console.send(tunnel)
                for account in tunnel.ledgerHistory() {
                    try await console.send(account.body(tunnel.phone), to: .metrics)
                }
                try await browser.open("\(console.address)/sessions/\(tunnel.session)")
                try await browser.wait(until: "document.querySelectorAll('.moment').length > 10")
                try await browser.wait(until: "document.querySelector('.ledger-strip')")
                try await browser.press("7")
                try await browser.press("j", "j", "j", "j", Key.enter)
                try await take("conditions")
                try await browser.press("1", "l")
                try await browser.wait(until: "document.querySelector('.session-ledger')")
                try await take("ledger")
                try await browser.open("\(console.address)/devices/\(tunnel.installation)")
                try await browser.wait(until: "document.querySelectorAll('.entry').length >= 2")
                try await take("device")
                try await browser.open("\(console.address)/devices")
                try await browser.wait(until: "document.querySelectorAll('.entry').length > 4")
                try await take("devices")
                let trace = try #require(visit.traces["declined"])
                try await browser.open("\(console.address)/traces/\(trace)")
                try await browser.wait(until: "document.querySelectorAll('.span-row').length > 8")
                let charge = try #require(visit.backendSpans.first { $0.name == "payment.charge" && $0.error != nil })
                try await browser.open("\(console.address)/traces/\(trace)?span=\(charge.id)")
                try await browser.wait(
                    until: "document.querySelector('.inspector h2')?.textContent === 'payment.charge'")
                try await take("trace")
                try await browser.open("\(console.address)/traces")
                try await browser.wait(until: "document.querySelectorAll('.entry').length >= 8")
                try await take("traces")
                try await browser.open("\(console.address)/metrics")
                try await browser.wait(until: "document.querySelectorAll('.metric').length >= 3")
                try await take("metrics")
                try await browser.requireNoErrors()
            }
        }
    }
}

/// Visits of one afternoon, the latest a few seconds ago.
enum PictureVisits {
    /// Sends all visits and returns the one to show.
    static func send(to console: ConsoleUnderTest) async throws -> ShopVisit {
        let now = UInt64(Date().timeIntervalSince1970) * 1_000_000_000
        let devices: [ShopVisit.Device] = [.iPhone15Pro, .iPhoneSE, .iPadAir, .iPhone12]
        for number in 2..<14 {
            let start = now - UInt64(number) * 411_000_000_000
            var visit = ShopVisit(number: number, start: start, device: devices[number % devices.count])
            visit.launch()
            if number % 3 != 0 { visit.open(product: "66VCHSJNUP", name: "Starsense Explorer Refractor Telescope") }
            if number % 4 == 1 { visit.stutter() }
            if number % 2 == 0 {
                visit.addToCart(product: "66VCHSJNUP", name: "Starsense Explorer Refractor Telescope", quantity: 1)
                visit.openCart()
                visit.checkOut(order: "o-\(2_000 + number)", declined: number == 8)
            }
            if number == 5 {
                visit.addToCart(product: "OLJCESPC7Z", name: "National Park Foundation Explorascope", quantity: 10)
                visit.crash()
            }
            if number % 5 == 0 { visit.browse() }
            try await console.send(visit)
            if number > 9, let account = visit.ledgerHistory(count: 8 + number * 4).last {
                try await console.send(account.body(visit.phone), to: .metrics)
            }
        }
        let visit = ShopVisit.purchase(number: 1, start: now - 36_000_000_000)
        try await console.send(visit)
        for account in visit.ledgerHistory(every: 6, count: 78).suffix(6) {
            try await console.send(account.body(visit.phone), to: .metrics)
        }
        try await sendMetrics(of: visit, to: console)
        return visit
    }

    private static func sendMetrics(of visit: ShopVisit, to console: ConsoleUnderTest) async throws {
        let seconds: [UInt64] = (0..<20).map { $0 * 15 }
        let start = visit.start - 285_000_000_000
        func points(_ attributes: [(String, JSON)], _ value: (Double) -> Double) -> [([(String, JSON)], UInt64, Double)]
        {
            seconds.map { (attributes, $0, value(Double($0) / 15)) }
        }
        try await console.send(
            OTLPBody.metric(
                visit.phone, name: "device.battery.level", unit: "1", description: "Charge of the battery, 0 to 1",
                isCounter: false, start: start, points: points([]) { 0.82 - $0 * 0.004 },
            ), to: .metrics,
        )
        for (route, base) in [("/api/products", 18.0), ("/api/cart", 9.0), ("/api/checkout", 42.0)] {
            try await console.send(
                OTLPBody.metric(
                    ShopVisit.backend, name: "http.server.active_requests", unit: "{request}",
                    description: "Requests that the backend works on", isCounter: false, start: start,
                    points: points([("http.route", .string(route))]) {
                        (base * (1 + ($0 * 1.7).truncatingRemainder(dividingBy: 5) / 4)).rounded()
                    },
                ), to: .metrics,
            )
        }
    }
}
