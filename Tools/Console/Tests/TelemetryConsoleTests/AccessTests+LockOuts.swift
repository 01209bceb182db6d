import BrowserKit
import ConsoleAccess
import Foundation
import GRPCCore
import Testing

@testable import TelemetryConsole

/// Unknown keys are refused after some attempts, and nothing else is.
extension AccessTests {
    @Test
    func `who guesses keys must wait, by the network that the proxy reports, and valid keys do not`() async throws {
        try await Self.run(
            { $0.grpcPort = 0 },
            keys: {
                (viewer: try $0.make(.view), sender: try $0.make(.ingest))
            },
        ) { console, keys in
            func read(_ key: String, from address: String) async throws -> HTTP.Response {
                let headers = Self.bearer(key).merging(["X-Forwarded-For": "10.0.0.1, \(address)"]) { $1 }
                return try await HTTP.request("GET", console.address + "/api/v1/status", headers: headers)
            }
            for number in 0..<20 { #expect(try await read("guess \(number)", from: "192.0.2.7").status == 401) }
            let refused = try await read("guess", from: "192.0.2.8")
            #expect(refused.status == 429)
            #expect(refused[header: "Retry-After"].flatMap { Int($0) }.map { (1...61).contains($0) } == true)
            #expect(try await read("guess", from: "198.51.100.7").status == 401)
            #expect(try await read(keys.viewer.text, from: "192.0.2.7").status == 200)
            // The network of this machine, which has no proxy then.
            let body = ShopVisit.purchase().phoneLogBody
            for number in 0..<30 {
                let guess = try await Self.post(body, to: .logs, at: console, Self.bearer("guess \(number)"))
                #expect(guess.status == (number < 20 ? 401 : 429))
            }
            #expect(try await Self.post(body, to: .logs, at: console, Self.bearer(keys.sender.text)).status == 200)
            try await GRPCSender.run(console) { sender async throws in
                let error = await #expect(throws: RPCError.self) {
                    let wrong: Metadata = ["authorization": "Bearer guess"]
                    _ = try await sender.send(ProtobufFixture.log, to: .logs, metadata: wrong)
                }
                #expect(error?.code == .resourceExhausted)
                let valid: Metadata = ["authorization": "Bearer \(keys.sender.text)"]
                #expect(try await sender.send(ProtobufFixture.log, to: .logs, metadata: valid) == [])
            }
        }
    }

    @Test
    func `a lock-out is shown to those who have signed in, and to no one else`() async throws {
        try await Self.run(keys: {
            try $0.make(.view)
        }) { console, viewer in
            let place = console.address + "/api/v1/access"
            let wrong = Self.bearer("astrolabe_view_Zx3kGuess")
            for _ in 0..<22 { _ = try await HTTP.request("GET", place, headers: wrong) }
            let told = try JSONResponse(try await HTTP.request("GET", place, headers: Self.bearer(viewer.text)).body)
            let lockOut = told["lockOuts"][0]
            #expect(lockOut["network"].text == "127.0.0.0/24")
            #expect(lockOut["keys"].text == "astrolabe_view_Zx3k")
            #expect(lockOut["refused"].int == 2)
            #expect(lockOut["secondsLeft"].int.map { (1...61).contains($0) } == true)
            for headers in [[:], Self.bearer("guess")] {
                let other = try await HTTP.request("GET", place, headers: headers)
                #expect(other.status == 200 && !other.text.contains("lockOuts"))
            }
        }
    }

    @Test(.enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver"))
    func `a page names the network from which unknown keys are refused`() async throws {
        try await Self.run(keys: {
            try $0.make(.view)
        }) { console, viewer in
            let headers = Self.bearer("astrolabe_ingest_Zx3kGuess")
            for _ in 0..<22 { _ = try await HTTP.request("GET", console.address + "/api/v1/status", headers: headers) }
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/sign-in")
                try await AccessPageTests.signIn(viewer.text, in: browser)
                try await browser.wait(
                    until: "document.querySelector('.lock-outs')?.innerText.includes('127.0.0.0/24')")
                try await browser.wait(until: "document.querySelector('.lock-outs').title.includes('ingest_Zx3k')")
            }
        }
    }
}
