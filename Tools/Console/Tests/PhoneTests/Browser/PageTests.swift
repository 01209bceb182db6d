import AstrolabeTestSupport
import BrowserKit
import Foundation
import Testing

@testable import DeviceSimulator

@Suite(
    .serialized, .timeLimit(.minutes(10)), .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver"),
)
struct `The phone's page` {
    /// The time is a promise for a quiet machine: `Docs/Guide/Simulator.md` has what was measured on one.
    @Test(.enabled(if: Thoroughness.isThorough, "runs with ./astrolabe test --thorough"))
    func `shows what a click has changed while it still feels like one`() async throws {
        try await PhoneUnderTest.run { subject in
            try await subject.phone.launched()
            let times = try await WebDriver.run { browser in
                let page = try await PhonePage.open(subject, in: browser)
                try await page.tap("go-shopping")
                try await page.tap("product-LS4PSXUNUM")
                try await page.see("product-quantity")
                return try await browser.runAsync(
                    """
                    const stepper = document.querySelector('.window [data-identifier="product-quantity"]')
                      .closest('.stepper') ?? document.querySelector('.window .stepper');
                    const [less, more] = stepper.querySelectorAll('.step');
                    const times = [];
                    const again = () => {
                      if (times.length === 60) return done(times);
                      const start = performance.now();
                      const observer = new MutationObserver(() => {
                        observer.disconnect();
                        times.push(performance.now() - start);
                        setTimeout(again, 50);
                      });
                      observer.observe(stepper.querySelector('.control-label'),
                        { subtree: true, childList: true, characterData: true });
                      (times.length % 2 ? less : more).click();
                    };
                    again();
                    """
                ).elements.compactMap(\.double).sorted()
            }
            try #require(times.count == 60)
            let figures = [times[30], times[57], times[59]].map { String(format: "%.1f", $0) }
            print(
                "click to changed page: median \(figures[0]) ms, 95 % within \(figures[1]) ms, at most \(figures[2]) ms"
            )
            #expect(times[30] < 250)
        }
    }

    /// By default, `The phone's pages` tell two readers what happens, without a browser.
    @Test(.enabled(if: Thoroughness.isThorough, "runs with ./astrolabe test --thorough"))
    func `is in two browsers at once, and in one when the other is killed`() async throws {
        try await PhoneUnderTest.run { subject in
            try await subject.phone.launched()
            try await WebDriver.run { first in
                let page = try await PhonePage.open(subject, in: first)
                // What was killed cannot be closed any more, and nobody minds.
                try await WebDriver.run { second in
                    let other = try await PhonePage.open(subject, in: second)
                    try await page.tap("otel-button")
                    try await other.read("Events sent: 1")
                    try await other.tap("otel-button")
                    try await page.read("Events sent: 2")
                    try await other.set(network: "weak")
                    try await first.wait(
                        until: "document.querySelector('[aria-label=Network] [data-value=weak]').ariaChecked === 'true'"
                    )
                    try second.kill()
                }
                try await page.tap("otel-button")
                try await page.read("Events sent: 3")
                #expect(await subject.phone.state.app.phase == .active)
                try await page.requireNoErrors()
            }
        }
    }

    @Test func `is there again, as it was, when it is loaded again`() async throws {
        try await PhoneUnderTest.run { subject in
            try await subject.phone.launched()
            try await WebDriver.run { browser in
                let page = try await PhonePage.open(subject, in: browser)
                try await page.tap("go-shopping")
                try await page.see("product-LS4PSXUNUM")
                let again = try await PhonePage.open(subject, in: browser)
                try await again.see("product-LS4PSXUNUM")
                try await again.press("Kill")
                try await browser.wait(until: "document.querySelector('.end-card')")
                let after = try await PhonePage.open(subject, in: browser)
                try await browser.wait(until: "document.querySelector('.end-card .relaunch')")
                try await browser.click(".relaunch")
                try await after.see("go-shopping")
                try await page.requireNoErrors()
            }
        }
    }

    @Test func `shows a crash, and links to it when the next launch has sent the report`() async throws {
        try await PhoneUnderTest.run { subject in
            try await subject.phone.launched()
            try await WebDriver.run { browser in
                let page = try await PhonePage.open(subject, in: browser)
                try await page.see("go-shopping")
                try await browser.run("document.querySelector('.app [data-identifier=go-shopping]').focus()")
                let app = try #require(await subject.phone.state.app.pid)
                kill(pid_t(app), SIGSEGV)
                try await browser.wait(until: "document.activeElement.matches('.end-card .relaunch')")
                let card = try await browser.run("return document.querySelector('.end-card').innerText").text ?? ""
                #expect(card.contains("The app crashed"), "\(card)")
                #expect(card.contains("SIGSEGV, invalid memory access"), "\(card)")
                try await browser.press(Key.enter)
                try await page.see("go-shopping")
                #expect(try await browser.run("return document.activeElement.id").text == "phone")
                try await browser.wait(
                    until: "document.querySelector('.crash-note a')?.pathname.startsWith('/health/groups/')")
                try await page.requireNoErrors()
            }
        }
    }

    @Test(.enabled(if: StandInApp.isAvailable, "there is no Python here"))
    func `says that the app does not respond, until it does`() async throws {
        try await PhoneUnderTest.run(.hanging) { subject in
            try await subject.phone.launched()
            try await WebDriver.run { browser in
                let page = try await PhonePage.open(subject, in: browser)
                let phase = "document.querySelector('.phase').textContent"
                try await page.tap("count")
                try await browser.wait(until: "\(phase) === 'Not responding'")
                try await browser.wait(
                    until: "document.querySelector('#phone').textContent.includes('Not responding for ')")
                let end = subject.phone.configuration.storage.appendingPathComponent("end-of-hang")
                try Data().write(to: end)
                try await browser.wait(until: "\(phase) === 'Active'")
                try await page.requireNoErrors()
            }
        }
    }

    @Test func `has its newest records in sight, and nothing that comes and goes above them`() async throws {
        try await PhoneUnderTest.run { subject in
            try await subject.phone.launched()
            try await WebDriver.run { browser in
                try await browser.resize(width: 1_440, height: 900)
                let page = try await PhonePage.open(subject, in: browser)
                try await page.tap("go-shopping")
                try await page.see("product-LS4PSXUNUM")
                try await browser.wait(until: "document.querySelectorAll('.record').length > 3")
                let bottom = try await browser.run(
                    "return document.querySelectorAll('.record')[3].getBoundingClientRect().bottom")
                #expect((bottom.double ?? 900) < 900)
                try await browser.wait(
                    until: "document.querySelector('.top .text-link').pathname.startsWith('/sessions/')")
                let parts = """
                    [document.querySelectorAll('.legend div:not(.reason)').length,
                     document.querySelectorAll('.blockers li').length > 1].join()
                    """
                #expect(try await browser.run("return \(parts)").text == "6,true", "with nothing to wait for")
                try await page.set(network: "airplane")
                try await page.press("Background")
                try await browser.wait(until: "\(PhonePage.screenName) === ''")
                _ = try await page.seeQueue(atLeast: 1)
                try await browser.wait(
                    until: "document.querySelector('.widget-queue').innerText.includes('to be sent')")
                try await browser.wait(until: "document.querySelector('.blockers').innerText.includes('network')")
                #expect(try await browser.run("return \(parts)").text == "6,true", "with records that wait")
            }
        }
    }

    @Test func `fits a narrow window, with its head in one line`() async throws {
        try await PhoneUnderTest.run { subject in
            try await subject.phone.launched()
            try await WebDriver.run { browser in
                try await browser.resize(width: 390, height: 844)
                let page = try await PhonePage.open(subject, in: browser)
                try await page.see("go-shopping")
                let head = try await browser.run(
                    """
                    const top = document.querySelector('.top').getBoundingClientRect();
                    const parts = [...document.querySelectorAll('.top > *')].map((part) => part.getBoundingClientRect());
                    return [parts.every((part) => part.top >= top.top && part.bottom <= top.bottom && part.right <= innerWidth),
                      document.documentElement.scrollWidth <= innerWidth].join();
                    """)
                #expect(head.text == "true,true")
            }
        }
    }
}
