import BrowserKit
import HTTPTypes
import Hummingbird
import Testing

@testable import TelemetryConsole

/// Tests of sites that other code serves at the console's address.
@Suite(.timeLimit(.minutes(2))) struct `A mounted site` {
    private let site = MountedSite(name: "device", title: "Phone") { request in
        Response(status: .ok, headers: [.contentType: "text/html"], body: .init(byteBuffer: .init(string: "a phone")))
    }

    @Test func `is listed in the status and handles all paths below its name`() async throws {
        try await ConsoleUnderTest.run(sites: [site]) { console in
            let sites = try await console.get("/api/v1/status")["sites"].elements
            #expect(sites.map { $0["title"].text } == ["Phone"])
            #expect(sites.map { $0["path"].text } == ["/device/"])
            for path in ["/device", "/device/", "/device/api/v1/live"] {
                #expect(try await HTTP.request("GET", console.address + path).text == "a phone")
            }
            #expect(try await HTTP.request("GET", console.address + "/devices").text.contains("<!doctype html>"))
        }
        try await ConsoleUnderTest.run { console in
            let status = try await console.get("/api/v1/status")
            #expect(status["sites"].elements.isEmpty)
        }
    }

    @Test(.enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver"))
    func `is linked from every page of the console and opens as a separate page`() async throws {
        try await ConsoleUnderTest.run(sites: [site]) { console in
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/traces")
                try await browser.click(".sidebar .nav-link", text: "Phone")
                try await browser.wait(
                    until: "location.pathname === '/device/' && document.body.innerText === 'a phone'")
                try await browser.run("history.back()")
                try await browser.wait(until: "location.pathname === '/traces' && document.querySelector('.sidebar')")
            }
        }
    }
}
