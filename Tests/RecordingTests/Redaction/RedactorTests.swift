import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

@Suite struct RedactorTests {
    private let redactor = Redactor()

    @Test(arguments: [
        "authorization", "http.request.header.authorization", "Proxy-Authorization", "cookie", "Set-Cookie", "password",
        "user.password", "PASSWORD", "db_password", "passwd", "client_secret", "clientSecret", "token", "access_token",
        "refreshToken", "x-auth-token", "api_key", "X-API-Key", "x-honeycomb-team", "aws_secret_access_key", "cvv",
        "cvv2",
        "CVC", "creditCardCvv", "card_number", "creditCard.cardNumber", "creditCardNumber", "credit_card.number",
        "email",
        "user.email", "customerEmail", "email_address", "iban",
    ])
    func `a key that names a secret hides its value whatever it says`(key: String) {
        #expect(redactor.isSecret(key: key))
        #expect(redactor.redacted("harmless", key: key) == "REDACTED")
    }

    @Test(arguments: [
        "", "e", "-", "_", ".", "http.request.method", "url.full", "server.address", "demo.product.id", "session.id",
        "app.screen.name", "gen_ai.usage.input_tokens", "email.count", "cookies.accepted", "password.length",
        "exception.message", "card", "number", "order.number", "secretary", "keyboard", "demo.payment.card_type",
    ])
    func `other keys do not`(key: String) {
        #expect(!redactor.isSecret(key: key))
        #expect(redactor.redacted("harmless", key: key) == "harmless")
    }

    @Test func `secret keys of the user's are the whole last part, without case`() {
        var options = RedactionOptions()
        options.secretKeys = ["pin", "Customer-ID", "user.Nick_Name", "x"]
        let redactor = Redactor(options)
        for key in [
            "pin", "PIN", "user.pin", "customer_id", "a.customerId", "nickname", "user.nickName", "x", "a.x", "p_i-n",
        ] {
            #expect(redactor.isSecret(key: key), "\(key)")
        }
        for key in ["spin", "shopping", "pin.count", "customer", "box", "max", "user.x.y"] {
            #expect(!redactor.isSecret(key: key), "\(key)")
        }
    }

    @Test(arguments: [
        ("mail ada@example.com now", "mail REDACTED now"), ("ada.lovelace+shop@mail.example.co.uk", "REDACTED"),
        ("<ada@example.com>", "<REDACTED>"), ("mailto:ada@example.com.", "mailto:REDACTED."),
        ("ada%40example.com", "REDACTED"), ("ada%2540example.com", "REDACTED"), ("o'brien@example.ie", "REDACTED"),
        ("jürgen@exämple.de", "REDACTED"), ("a@b.co,c@d.org", "REDACTED,REDACTED"),
        ("\"ada lovelace\"@example.com", "REDACTED"), ("swift@5.9.1", "swift@5.9.1"),
        ("user@localhost", "user@localhost"),
        ("@MainActor", "@MainActor"), ("a @ b", "a @ b"), ("react@18.2.0", "react@18.2.0"), ("@", "@"), ("@.", "@."),
    ])
    func `e-mail addresses are replaced`(text: String, redacted: String) {
        #expect(redactor.redacted(text) == redacted)
    }

    @Test(arguments: [
        ("Bearer eyJhbGciOi.J9", "Bearer REDACTED"),
        ("authorization failed: bearer abcdefgh", "authorization failed: bearer REDACTED"),
        ("sent BASIC dXNlcjpwYXNz today", "sent BASIC REDACTED today"), ("Bearer%20abcdefghij", "Bearer%20REDACTED"),
        ("\"Bearer abcdefghij\"", "\"Bearer REDACTED\""), ("Bearer\tabcdefghij", "Bearer\tREDACTED"),
        ("the basic plan", "the basic plan"), ("a bearer of news", "a bearer of news"),
        ("Acrobasic something-long", "Acrobasic something-long"), ("Bearer", "Bearer"), ("basic ", "basic "),
    ])
    func `credentials are replaced`(text: String, redacted: String) {
        #expect(redactor.redacted(text) == redacted)
    }

    @Test(arguments: [
        ("cvv: 123", "cvv: REDACTED"), ("CVV2=1234", "CVV2=REDACTED"), ("cvc 987", "cvc REDACTED"),
        ("{\"creditCardCvv\":123}", "{\"creditCardCvv\":REDACTED}"), ("{\"cvv\":\"123\"}", "{\"cvv\":\"REDACTED\"}"),
        ("{\\\"cvv\\\":\\\"123\\\"}", "{\\\"cvv\\\":\\\"REDACTED\\\"}"), ("cvvCode 4321.", "cvvCode REDACTED."),
        ("the CVV is 123", "the CVV is REDACTED"), ("cvv%22%3A%22123%22", "cvv%22%3A%22REDACTED%22"),
        ("cvv check failed, 404", "cvv check failed, 404"), ("cvv 12345", "cvv 12345"), ("cvv", "cvv"),
        ("cvc2", "cvc2"),
        ("archive 123", "archive 123"),
    ])
    func `security codes are replaced`(text: String, redacted: String) {
        #expect(redactor.redacted(text) == redacted)
    }

    @Test func `URL queries are known by their key alone`() {
        #expect(redactor.redacted("a=1&b=two", key: "url.query") == "a=REDACTED&b=REDACTED")
        #expect(redactor.redacted("a=1&b=two", key: "formula") == "a=1&b=two")
    }

    @Test func `what is allowed by name stays, unless it is a secret`() {
        var options = RedactionOptions()
        options.recordedQueryItems = ["currencyCode", "token", "note"]
        let redactor = Redactor(options)
        #expect(
            redactor.redacted("https://h/api/products?currencyCode=EUR&session=1")
                == "https://h/api/products?currencyCode=EUR&session=REDACTED")
        #expect(redactor.redacted("/a?token=abc") == "/a?token=REDACTED")
        #expect(redactor.redacted("/a?note=ada@example.com") == "/a?note=REDACTED")
    }

    @Test func `redaction can be switched off for a console of one's own`() {
        var options = RedactionOptions()
        options.isEnabled = false
        let redactor = Redactor(options)
        #expect(
            redactor.redacted("4111111111111111 ada@example.com", key: "password") == "4111111111111111 ada@example.com"
        )
        #expect(!redactor.isSecret(key: "password"))
    }

    @Test func `a card number that is given as a number is replaced too, and other numbers are left alone`() throws {
        let recorder = Recorder()
        recorder.tracer.withSpan("pay", attributes: ["paid.with": 4_432_801_561_520_454]) { span in
            span.setAttribute("first", 378_282_246_310_005)
            span.setAttribute("second", 4_432_801_561_520_455)
            span.setAttribute("id", 4_222_222_222_222)
            span.setAttribute("time", 1_795_251_000_123_456_789)
        }
        recorder.events.emit("paid", attributes: ["with": 4_432_801_561_520_454, "all": [4_432_801_561_520_454]])
        let span = try recorder.span
        #expect(span.attributes["paid.with"] == "REDACTED" && span.attributes["first"] == "REDACTED")
        #expect(span.attributes["second"] == 4_432_801_561_520_455)
        #expect(span.attributes["id"] == 4_222_222_222_222)
        #expect(span.attributes["time"] == 1_795_251_000_123_456_789)
        let event = try recorder.logRecord
        #expect(event.attributes["with"] == "REDACTED" && event.attributes["all"] == ["REDACTED"])
    }

    @Test func `a redacted text is not redacted further`() {
        for text in [
            "card 4111111111111111", "ada@example.com", "https://u:p@h/?a=b&c", "password=x", "Bearer abcdefghij",
        ] {
            let once = redactor.redacted(text)
            #expect(redactor.redacted(once) == once)
        }
    }
}
