import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

/// The cases of W3C Trace Context and of its test suite.
@Suite struct TraceStateTests {
    private static let keyCharacters = "abcdefghijklmnopqrstuvwxyz0123456789_-*/"
    private static let valueCharacters = String(
        String.UnicodeScalarView((0x20...0x7E).compactMap(Unicode.Scalar.init).filter { $0 != "," && $0 != "=" }))

    private static func members(_ count: Int) -> String {
        (1...count).map { "bar\($0 < 10 ? "0" : "")\($0)=\($0)" }.joined(separator: ",")
    }

    @Test(arguments: [
        ("foo=1", "foo=1"), ("foo=1,bar=2", "foo=1,bar=2"), ("foo=1 \t , \t bar=2, \t baz=3", "foo=1,bar=2,baz=3"),
        ("foo=1\t \t,\t \tbar=2", "foo=1,bar=2"), (" foo=1", "foo=1"), ("\t foo=1 \t", "foo=1"), ("foo=1,", "foo=1"),
        (",foo=1", "foo=1"), ("foo=1,,bar=2", "foo=1,bar=2"), ("foo=1, ,bar=2", "foo=1,bar=2"), ("", ""), (" ", ""),
        ("foo= 1", "foo= 1"), ("1foo=1", "1foo=1"), ("tenant@system=1", "tenant@system=1"), ("1@s=1", "1@s=1"),
        ("foo=1,foo=1", "foo=1,foo=1"), ("foo=1,foo=2", "foo=1,foo=2"), ("foo@=1,bar=2", "foo@=1,bar=2"),
        ("foo@@bar=1", "foo@@bar=1"), ("foo@bar@baz=1", "foo@bar@baz=1"), ("foo@1bar=1", "foo@1bar=1"),
    ])
    func `valid lists are read`(header: String, canonical: String) throws {
        #expect(try #require(TraceState(header: header)).header == canonical)
    }

    @Test(arguments: [
        "foo", "=1", "foo=", "foo=,bar=3", "foo=bar=baz", "foo =1", "FOO=1", "foo.bar=1",
        "@foo=1,bar=2",
        "föö=1", "foo=é",
        "foo=\u{7F}", "foo=a\tb", "foo=a\nb", "-foo=1",
    ])
    func `a list that breaks a rule is refused whole`(header: String) {
        #expect(TraceState(header: header) == nil)
    }

    @Test func `all characters that are allowed are kept`() throws {
        for key in [Self.keyCharacters, Self.keyCharacters + "@a-z0-9_-*/"] {
            let state = try #require(TraceState(header: key + "=" + Self.valueCharacters))
            #expect(state[key] == Self.valueCharacters)
        }
    }

    @Test func `32 members are the most`() throws {
        #expect(try #require(TraceState(header: Self.members(32)))["bar32"] == "32")
        #expect(TraceState(header: Self.members(33)) == nil)
    }

    @Test func `keys and values have their greatest lengths`() {
        func isValid(_ header: String) -> Bool { TraceState(header: header) != nil }
        #expect(isValid("foo=1," + String(repeating: "z", count: 256) + "=1"))
        #expect(!isValid("foo=1," + String(repeating: "z", count: 257) + "=1"))
        #expect(
            isValid("foo=1," + String(repeating: "t", count: 241) + "@" + String(repeating: "v", count: 14) + "=1"))
        #expect(isValid("foo=1," + String(repeating: "t", count: 242) + "@v=1"))
        #expect(isValid("foo=1,t@" + String(repeating: "v", count: 254) + "=1"))
        #expect(!isValid("foo=1,t@" + String(repeating: "v", count: 255) + "=1"))
        #expect(isValid("foo=" + String(repeating: "v", count: 256)))
        #expect(!isValid("foo=" + String(repeating: "v", count: 257)))
    }

    @Test func `a list beyond 512 characters loses whole members, the longest first, then the last`() throws {
        let long = "long=" + String(repeating: "v", count: 200)
        let medium = (1...6).map { "medium\($0)=" + String(repeating: "v", count: 71) }
        let state = try #require(TraceState(header: ([medium[0], long] + medium.dropFirst()).joined(separator: ",")))
        #expect(state.header == medium.joined(separator: ","))

        let many = try #require(
            TraceState(
                header: (medium + ["last=1"]).joined(separator: ",") + ",x=" + String(repeating: "y", count: 30)))
        #expect(many.header.utf8.count <= 512)
        #expect(many["medium1"] != nil && many["x"] == nil)
    }

    @Test func `a member that is set moves to the front, and others keep their order`() throws {
        let state = try #require(TraceState(header: "a=1,b=2,c=3"))
        #expect(state.setting("b", to: "4").header == "b=4,a=1,c=3")
        #expect(state.setting("new", to: "5").header == "new=5,a=1,b=2,c=3")
        #expect(state.setting("B", to: "4").header == "a=1,b=2,c=3")
        #expect(state.setting("b", to: "x,y").header == "a=1,b=2,c=3")
        #expect(state.removing("b").header == "a=1,c=3")
        #expect(state.removing("none").header == "a=1,b=2,c=3")
        #expect(TraceState().setting("ot", to: "th:8").header == "ot=th:8")
    }

    @Test func `a full list that gets one more member loses its last, and stays readable`() throws {
        let full = try #require(TraceState(header: Self.members(32)))
        let more = full.setting("ot", to: "th:8")
        #expect(more["ot"] == "th:8" && more["bar31"] == "31" && more["bar32"] == nil)

        let wide = try #require(
            TraceState(header: (1...5).map { "m\($0)=" + String(repeating: "v", count: 97) }.joined(separator: ",")))
        let wider = wide.setting("ot", to: "th:fd70a4")
        #expect(wider["ot"] == "th:fd70a4")
        #expect(wider["m1"] != nil)
        #expect(wider.header.utf8.count <= 512)
    }
}
