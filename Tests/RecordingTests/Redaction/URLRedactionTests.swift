import Testing

@testable import AstrolabeRecording

@Suite struct URLRedactionTests {
    private let redactor = Redactor()

    @Test(arguments: [
        ("https://shop.example.com/api/products/OLJCESPC7Z", "https://shop.example.com/api/products/OLJCESPC7Z"),
        ("https://h/p?a=1", "https://h/p?a=REDACTED"), ("https://h/p?a=1&b=&c", "https://h/p?a=REDACTED&b=&c"),
        ("https://h?a=1", "https://h?a=REDACTED"), ("https://h/p?a=1#top", "https://h/p?a=REDACTED#top"),
        ("https://h/cb#access_token=abc&state=x", "https://h/cb#access_token=REDACTED&state=REDACTED"),
        ("https://ada:pass@h/p", "https://REDACTED@h/p"), ("https://ada@h:8080/", "https://REDACTED@h:8080/"),
        ("postgres://u:p@ss@db/x?sslmode=on", "postgres://REDACTED@db/x?sslmode=REDACTED"),
        ("https://h/@handle", "https://h/@handle"), ("https://h/p?a=x%26y%3Dz", "https://h/p?a=REDACTED"),
        ("https://h/p?a=1;b=2", "https://h/p?a=REDACTED;b=REDACTED"),
        ("https://h/p?q=a?b=c", "https://h/p?q=REDACTED?b=REDACTED"),
        ("https://h/p?json={\"a\":1}", "https://h/p?json=REDACTED\"a\":1}"),
    ])
    func `user information and query values are replaced`(text: String, redacted: String) {
        #expect(redactor.redacted(text) == redacted)
    }

    @Test(arguments: [
        ("/api/cart?sessionId=abc", "/api/cart?sessionId=REDACTED"),
        ("/api/cart?sessionId=abc&currencyCode=USD", "/api/cart?sessionId=REDACTED&currencyCode=REDACTED"),
        ("GET /api/cart?sessionId=abc HTTP/1.1", "GET /api/cart?sessionId=REDACTED HTTP/1.1"),
        ("cart?sessionId=abc", "cart?sessionId=REDACTED"), ("/api/cart", "/api/cart"), ("/?", "/?"), ("/?a", "/?a"),
    ])
    func `a path with a query is treated like a URL`(text: String, redacted: String) {
        #expect(redactor.redacted(text) == redacted)
    }

    @Test(arguments: [
        "what? really", "is it a = b?", "SELECT * FROM t WHERE a = ?", "a ? b : c", "#1 of 3", "C# = fine", "50 % off",
        "https://", "://", "?", "#", "a://b", "scheme://?", "ratio: 16:9", "10:15:30", "std::vector", "x = y",
        "ProductDetailView.body", "error: not found", "key: value", "Optional(3)",
    ])
    func `other text is left alone`(text: String) {
        #expect(redactor.redacted(text) == text)
    }

    @Test(arguments: [
        ("opened https://h/a?b=c then https://h/d?e=f", "opened https://h/a?b=REDACTED then https://h/d?e=REDACTED"),
        (
            "redirect=https%3A%2F%2Fu%3Ap%40h%2F%3Ftoken%3Dabc",
            "redirect=https%3A%2F%2FREDACTED%40h%2F%3Ftoken%3DREDACTED",
        ),
        ("{\"url\":\"https://h/a?b=c\",\"ok\":true}", "{\"url\":\"https://h/a?b=REDACTED\",\"ok\":true}"),
    ])
    func `URLs within text are found, encoded ones too`(text: String, redacted: String) {
        #expect(redactor.redacted(text) == redacted)
    }

    @Test(arguments: [
        ("password=hunter2", "password=REDACTED"), ("user=ada&password=hunter2&x=1", "user=ada&password=REDACTED&x=1"),
        ("{\"password\":\"hunter2\",\"ok\":true}", "{\"password\":\"REDACTED\",\"ok\":true}"),
        ("{\"password\" : \"hun\\\"ter2\", \"ok\":true}", "{\"password\" : \"REDACTED\", \"ok\":true}"),
        ("{\\\"token\\\":\\\"abc\\\",\\\"n\\\":1}", "{\\\"token\\\":\\\"REDACTED\\\",\\\"n\\\":1}"),
        ("Authorization: Digest username=ada, realm=x", "Authorization: REDACTED"),
        ("cookie: a=1; b=2\nhost: h", "cookie: REDACTED\nhost: h"),
        ("[\"token\": \"abc\", \"a\": 1]", "[\"token\": \"REDACTED\", \"a\": 1]"),
        ("Login(user: \"ada\", password: Optional(\"x y\"))", "Login(user: \"ada\", password: REDACTED)"),
        ("api_key='abc'", "api_key='REDACTED'"), ("user[password]=x", "user[password]=REDACTED"),
        ("{\"token\":[\"a\",\"b\"],\"n\":1}", "{\"token\":REDACTED,\"n\":1}"),
        ("secret = abc def", "secret = REDACTED def"),
        ("{\"creditCardNumber\":\"4111 1111 1111 1112\"}", "{\"creditCardNumber\":\"REDACTED\"}"),
        ("token%3Dabc%26x", "token%3DREDACTED%26x"), ("password:", "password:"), ("password=&x=1", "password=&x=1"),
    ])
    func `what a text gives to a secret name is replaced`(text: String, redacted: String) {
        #expect(redactor.redacted(text) == redacted)
    }
}
