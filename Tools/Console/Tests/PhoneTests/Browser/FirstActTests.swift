import AstrolabeTestSupport
import BrowserKit
import DemoFixture
import DeviceLink
import Foundation
import Testing

@testable import DeviceSimulator

/// The first act of Docs/Guide/Demo.md, beside the history of the demo and its shopper.
///
/// The phone's page is in one window, and the console in another. What the page of the guide names is clicked.
@Suite(
    .serialized, .timeLimit(.minutes(20)), .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver"),
)
struct FirstActTests {
    /// The figures of the act are the phone's own, so that by default one age is enough.
    private static let ages = Thoroughness.isThorough ? DemoHistory.ages : [DemoHistory.ages[1]]

    private static var now: UInt64 { UInt64(Date().timeIntervalSince1970 * 1e9) }

    @Test(arguments: ages)
    func `a tap, a crash, a hang, an outage and a sampled-out session follow the clicks of the demo's page`(
        age: UInt64
    ) async throws {
        let page = try DemoPage.read()
        try await PhoneUnderTest.run(observesBackend: true) { subject in
            try subject.keepShopSymbols()
            let shopper = try await DemoHistory(now: Self.now, age: age).send(to: subject.address)
            try await subject.phone.launched()
            try await WebDriver.run { phoneBrowser in
                try await WebDriver.run { consoleBrowser in
                    try await phoneBrowser.resize(width: 1_440, height: 900)
                    try await consoleBrowser.open(subject.address)
                    let act = Act(
                        page: page, subject: subject, phone: try await PhonePage.open(subject, in: phoneBrowser),
                        console: consoleBrowser, shopper: shopper)
                    try await act.followTap()
                    try await act.crash()
                    try await act.hang()
                    try await act.loseNetwork()
                    try await act.sampleOut()
                    try await act.phone.requireNoErrors()
                    try await consoleBrowser.requireNoErrors(except: "/timeline")
                }
            }
        }
    }

    /// The steps of the act, each with what the page says that the audience sees.
    private struct Act {
        let page: DemoPage
        let subject: PhoneUnderTest
        let phone: PhonePage
        let console: WebDriver
        let shopper: RunningShopper

        private func presenter(_ title: String) throws -> DemoPresenter {
            DemoPresenter(try page.step(title)) { [shopper] in try await shopper.shop(until: FirstActTests.now) }
        }

        /// Opens in the console what a click on the phone's page has opened, and goes back to the phone.
        private func moveToConsole() async throws {
            let address = try await phone.browser.run("return location.href").text ?? ""
            try await console.open(address)
            _ = try await PhonePage.open(subject, in: phone.browser)
        }

        func followTap() async throws {
            var presenter = try presenter("1. A tap becomes a trace")
            try await presenter.click(through: "Add to Cart", in: phone.browser)
            try await phone.see("quantity-in-cart", "1")
            try await presenter.click(through: "POST /api/cart", in: phone.browser)
            try presenter.finish()
            try await phone.browser.wait(until: "location.pathname.startsWith('/traces/')")
            try await moveToConsole()
            for name in ["tap Add to Cart", "CartViewModel.addProduct", "POST /api/cart", "INSERT cart_item"] {
                try await console.wait(
                    until: "[...document.querySelectorAll('.span-row')].some((it) => it.innerText.includes('\(name)'))")
            }
        }

        func crash() async throws {
            var presenter = try presenter("2. Ten telescopes")
            // The page of the phone was opened again, and shows what the app shows.
            try await phone.see("quantity-in-cart", "1")
            try await presenter.click(through: "Add to Cart", in: phone.browser)
            try await phone.read("this will crash the app")
            try await presenter.click(through: "Crash the App", in: phone.browser)
            try await phone.browser.wait(
                until: "document.querySelector('.end-card')?.innerText.includes('The app crashed')")
            try await presenter.click(through: "Relaunch", in: phone.browser)
            try await phone.see("go-shopping")
            try presenter.finish()

            var line = try self.presenter("3. The line")
            try await line.click(through: "Open the crash in the console", in: phone.browser)
            try line.finish()
            try await phone.browser.wait(until: "location.pathname.startsWith('/health/groups/')")
            try await moveToConsole()
            try await console.wait(
                until: "document.querySelector('.problem-head h1')?.innerText.includes('ten National Park Foundation')")
            try await console.wait(
                until: "document.querySelector('.problem-head .at')?.textContent.startsWith('DemoPerformer.swift:')")
            try await console.wait(
                until: "document.querySelector('.problem-side').innerText.includes('Crash the App')")

            var replay = try self.presenter("4. The replay")
            try await replay.click(through: "Replay", in: console)
            try replay.finish()
            try await console.wait(until: "document.querySelector('.stage .w-screen > .w')")
            try await console.press(" ")
            try await console.wait(until: "document.querySelector('.cover-card.crash')")
        }

        func hang() async throws {
            var presenter = try presenter("5. Nine telescopes, and a tube")
            try await presenter.click(through: "Freeze the App", in: phone.browser)
            let phase = "document.querySelector('.phase').textContent"
            try await phone.browser.wait(until: "\(phase) === 'Not responding'")
            try await phone.browser.wait(until: "\(phase) === 'Active'")
            try await presenter.click(through: "Hang in static DemoPerformer.freeze(for:)", in: console)
            try await console.wait(
                until:
                    "[...document.querySelectorAll('.flame-part.own')].some((it) => it.ariaLabel.includes('freeze(for:)'))"
            )
            try await presenter.click(through: "Keep It Busy", in: phone.browser)
            try await phone.see("quantity-in-cart", "1")
            try await presenter.click(through: "Show the Comet", in: phone.browser)
            try await phone.see("leave-comet")
            try await phone.browser.wait(
                until: "!document.querySelector('.window [data-identifier=\"leave-comet\"]')")
            try await presenter.click(through: "Slow screens", in: console)
            try presenter.finish()
            try await console.wait(
                until: "[...document.querySelectorAll('.main .entry')].some((it) => it.innerText.includes('SlowComet'))"
            )
        }

        func loseNetwork() async throws {
            var presenter = try presenter("6. Nothing is lost")
            try await presenter.click(through: "Red Flashlight", in: phone.browser)
            _ = try await phone.seeQueue(atLeast: 3)
            try await presenter.click(through: "Kill", in: phone.browser)
            try await phone.browser.wait(
                until: "document.querySelector('.end-card')?.innerText.includes('The app was killed')")
            try await presenter.click(through: "Wi-Fi", in: phone.browser)
            try await phone.seeEmptyQueue()
            try await phone.browser.wait(until: "document.body.innerText.includes('Every record is accounted for.')")
            try await presenter.click(through: "Releases", in: console)
            try presenter.finish()
            for version in ["1.0.0", "2.2.0"] {
                try await console.wait(
                    until:
                        "[...document.querySelectorAll('.main .entry')].some((it) => it.innerText.startsWith('\(version)'))"
                )
            }
        }

        func sampleOut() async throws {
            var presenter = try presenter("7. A session that was sampled out")
            try await presenter.choose("No session", in: phone.browser)
            let card = "document.querySelector('.recorder').innerText"
            try await phone.browser.wait(until: "\(card).includes('This session is sampled out')")
            try await presenter.click(through: "Add to Cart", in: phone.browser)
            // The newest record is first. Those before the restart are of the time when the session was sampled in.
            let since = """
                ((rows) => rows.slice(0, rows.findIndex((it) => it.innerText.includes('astrolabe.run.end'))))(
                  [...document.querySelectorAll('.record')])
                """
            try await phone.browser.wait(
                until: "\(since).some((it) => it.innerText.includes('demo.cart.product_added'))")
            let spans = "\(since).filter((it) => it.matches('.span, .request, .server')).map((it) => it.innerText)"
            #expect(try await phone.browser.run("return \(spans)").elements.isEmpty, "no span arrives")
            try await presenter.click(through: "Place Order", in: phone.browser)
            try presenter.finish()
            try await phone.see("checkout-error")
            try await phone.browser.wait(until: "document.querySelector('.triggers').innerText.includes('record')")
            // Records of the time before the refusal arrive too.
            try await phone.browser.wait(
                until: "[...document.querySelectorAll('.record')].some((it) => it.innerText.includes('Refused Card'))")
        }
    }
}
