import Testing

@testable import AstrolabeRecording

/// The 22 strings of the review of 26 November 2026, of which 20 were recorded in clear.
@Suite struct ReviewedSecretTests {
    private static let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

    @Test(arguments: [
        "password_confirmation", "passwordRepeat", "pwd", "passcode", "pin", "otp", "secretKey", "tokens",
        "credentials",
        "sessionid", "ssn", "jwt", "X-Amz-Signature",
    ])
    func `a value under the name of a secret is replaced`(key: String) {
        #expect(Redactor().redacted("swordfish", key: key) == "REDACTED")
    }

    @Test(arguments: [
        ("auth_header=Token 9944b09199c62bcf", "auth_header=REDACTED"), (token, "REDACTED"),
        ("https://shop.example/verify/\(token)", "https://shop.example/verify/REDACTED"),
        ("{\"password\":\"swordfish\"}", "{\"password\":\"REDACTED\"}"),
        ("Authorization: Bearer abcdefghijkl", "Authorization: REDACTED"),
        ("paid to DE89 3704 0044 0532 0130 00", "paid to REDACTED"),
    ])
    func `a secret in a text is replaced`(text: String, redacted: String) {
        #expect(Redactor().redacted(text) == redacted)
    }

    @Test(arguments: [
        ("call +49 30 1234567", "call REDACTED"), ("from 192.0.2.17", "from REDACTED"),
        ("at 52.520008,13.404954", "at REDACTED"),
    ])
    func `personal data in a text is replaced on request`(text: String, redacted: String) {
        #expect(Redactor(RedactionCorpus.allKinds).redacted(text) == redacted)
        #expect(Redactor().redacted(text) == text)
    }
}
