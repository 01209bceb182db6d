import AstrolabeHTTP
import Foundation
import Testing

@Suite struct `An error of a request` {
    private func text(
        _ status: Int, _ body: Data, type: String? = nil, length: Int? = nil, isCut: Bool = false,
        redact: (String) -> String = { $0 },
    ) -> String {
        let answer = TracedResponse(
            status: status, expectedContentLength: length, contentType: type, body: body, isBodyTruncated: isCut,
        )
        return HTTPRequestError(request: "GET /", reason: .answer(answer), redact: redact).description
    }

    private func text(_ status: Int, _ body: String) -> String { text(status, Data(body.utf8)) }

    @Test(arguments: [404, 418, 500, 599, 302]) func `has a phrase for every status`(status: Int) {
        let phrase = HTTPStatus.reasonPhrase(status)
        #expect(text(status, "") == "HTTP \(status) \(phrase) - Response: (empty)")
        #expect(phrase != "Unknown Status")
    }

    @Test func `keeps 2 KiB of a long body and says how long it was`() {
        let text = text(500, String(repeating: "é", count: 3_000))
        #expect(text.hasSuffix("Response: " + String(repeating: "é", count: 1_024) + "… (cut; 6000 bytes)"))
    }

    @Test func `names the size and type of a body that is no text`() {
        let text = text(500, Data([0xFF, 0xD8, 0xFF]), type: "image/png")
        #expect(text == "HTTP 500 Internal Server Error - Response: (3 bytes of image/png)")
    }

    @Test func `reads a body that was cut within a character`() {
        let text = text(500, Data("déjà vu é".utf8.dropLast()), length: 9, isCut: true)
        #expect(text == "HTTP 500 Internal Server Error - Response: déjà vu … (cut; 9 bytes)")
    }

    @Test func `repeats neither what is secret anywhere nor what only the app knows to be`() {
        let body = #"{"error":"4012888888881881 of ada@example.com, 1 Observatory Road"}"#
        let text = text(400, Data(body.utf8)) { $0.replacingOccurrences(of: "1 Observatory Road", with: "(address)") }
        #expect(
            text == #"HTTP 400 Bad Request - Response: {"error":"REDACTED of REDACTED, (address)"}"#)
    }

    @Test func `shows the body of its answer to whoever asks for it, and to nobody who prints it`() throws {
        let answer = TracedResponse(status: 409, contentType: "text/plain", body: Data("pin 4711".utf8))
        let error = HTTPRequestError(request: "GET /", reason: .answer(answer), redact: { _ in "…" })
        #expect(try #require(error.answer).body == Data("pin 4711".utf8))
        #expect(error.status == 409)
        var dumped = ""
        dump(answer, to: &dumped)
        for printed in ["\(answer)", String(reflecting: answer), "\(error)", error.localizedDescription, dumped] {
            #expect(!printed.contains("4711"), "\(printed)")
        }
        #expect("\(answer)" == "HTTP 409 Conflict, 8 bytes of text/plain")
    }

    @Test func `says in one word for telemetry what it is`() {
        let timeout = HTTPRequestError(request: "POST /api/cart", reason: .transport(.timedOut))
        #expect(timeout.errorType == "timeout")
        #expect(timeout.status == nil)
        #expect(timeout.localizedDescription == "POST /api/cart failed: no answer came in time")
        #expect(HTTPRequestError(request: "GET", reason: .answer(TracedResponse(status: 504))).errorType == "504")
    }
}
