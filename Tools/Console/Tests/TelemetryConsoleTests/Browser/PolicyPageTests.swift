import BrowserKit
import Foundation
import Testing

@testable import TelemetryConsole

/// Tests of the page of policies in a real browser; see ``BrowserTests``.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(
        if: WebDriver.isAvailable,
        "needs chromium and chromedriver on the path, or named by ASTROLABE_CHROMIUM and ASTROLABE_CHROMEDRIVER",
    ),
)
struct PolicyPageTests {
    @Test
    func `the page says what a policy does and who has it, changes its share, and withdraws it`() async throws {
        try await ConsoleUnderTest.run { console in
            try await PushedPolicy.push(PushedPolicy.document(version: 1), to: console)
            var agent = SimulatedAgent(1)
            try await agent.poll(console)
            agent.refusal = "The document has expired"
            try await PushedPolicy.push(
                PushedPolicy.document(version: 2, #", "rates": {"normal": 0.05}, "off": ["replay"]"#), to: console)
            for _ in 0..<2 { try await agent.poll(console) }
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/policy")
                try await browser.wait(until: "document.querySelector('.policy-words')")
                let words = try await browser.run("return document.querySelector('.policy-page').innerText").text ?? ""
                for part in [
                    "shop: 1 device asked for a policy", "Version 2", "For all installations.",
                    "5 % in normal mode", "the session replay", "Refused by devices", "The document has expired",
                ] {
                    #expect(words.contains(part), "\(part): \(words)")
                }
                let owners = "[...document.querySelectorAll('.group-bars li')].map((it) => it.textContent).join()"
                #expect(try await browser.run("return \(owners)").text == "Version 11")

                _ = try await browser.run("document.querySelector('.policy-document .panel-head button').click()")
                try await browser.wait(until: "document.querySelector('dialog[open] [name=percentage]')")
                _ = try await browser.run(
                    """
                    const form = document.querySelector('dialog[open] form');
                    form.querySelector('[name=percentage]').value = '500';
                    form.requestSubmit();
                    """)
                try await browser.wait(
                    until: "document.querySelector('#form-problem').textContent.includes('from 0 to 100')")
                _ = try await browser.run(
                    """
                    const form = document.querySelector('dialog[open] form');
                    form.querySelector('[name=percentage]').value = '50';
                    form.querySelector('[name=models]').value = 'iPhone17,1';
                    form.requestSubmit();
                    """)
                try await browser.wait(until: "document.querySelector('.policy-rollout b').textContent === '50 %'")
                let policy = try await console.get("/api/v1/policies/shop")["policies"][0]
                #expect(policy["percentage"].double == 50)
                #expect(policy["target"]["models"].elements.map(\.text) == ["iPhone17,1"])

                _ = try await browser.run("document.querySelector('[aria-label=More]').click()")
                try await browser.wait(until: "document.querySelector('.menu-item')")
                _ = try await browser.run("document.querySelector('.menu-item').click()")
                try await browser.wait(
                    until: "document.querySelector('.policy-versions tbody').innerText.includes('Withdrawn')")
                let versions = try await console.get("/api/v1/policies/shop")["policies"].elements
                #expect(versions.map { $0["state"].text } == ["withdrawn", "active"])
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `the page of a device is shown while the policies of its app cannot be read`() async throws {
        try await ConsoleUnderTest.run { console in
            let visit = ShopVisit.purchase(number: 1)
            try await console.send(visit)
            try await PushedPolicy.push(PushedPolicy.document(version: 1, app: "astronomy-shop"), to: console)
            let device = try #require(try await console.get("/api/v1/devices")["devices"][0]["id"].text)
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/policy")
                try await browser.wait(until: "document.querySelector('.policy-document')")
                _ = try await browser.run(
                    """
                    const send = window.fetch;
                    window.fetch = (url, options) => String(url).includes('/policies/')
                      ? Promise.reject(new TypeError('unreachable')) : send(url, options);
                    dispatchEvent(new CustomEvent('navigate', { detail: '/devices/\(device)' }));
                    """)
                try await browser.wait(until: "document.querySelector('.device-sessions [data-session]')")
                try await browser.requireNoErrors()
            }
        }
    }

    @Test
    func `the command for one installation has its id, and a console without policies says how to begin`() async throws
    {
        try await ConsoleUnderTest.run { console in
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/policy")
                try await browser.wait(until: "document.querySelector('.empty .recipe code')")
                try await PushedPolicy.push(PushedPolicy.document(version: 1), to: console)
                try await browser.open("\(console.address)/policy?app=shop&installation=device-1")
                try await browser.wait(until: "document.querySelector('[data-key=request] code')")
                let command = try await browser.run(
                    "return document.querySelector('[data-key=request] code').textContent"
                ).text
                #expect(
                    command == """
                        astrolabe policy promote device-1 --app shop --key policy.key --console \(console.address)
                        """)
                try await browser.requireNoErrors()
            }
        }
    }
}
