import AstrolabeSeededRandomness
import Testing

@testable import AstrolabeRecording

/// W3C Baggage.
@Suite struct BaggageTests {
    @Test func `the examples of the specification are read`() {
        let baggage = Baggage(
            header: "key1=value1;property1;property2, key2 = value2, key3=value3; propertyKey=propertyValue")
        #expect(baggage.names == ["key1", "key2", "key3"])
        #expect(baggage["key1"] == "value1" && baggage["key2"] == "value2" && baggage["key3"] == "value3")
        #expect(baggage[member: "key1"]?.metadata == "property1;property2")
        #expect(baggage[member: "key3"]?.metadata == "propertyKey=propertyValue")
        #expect(Baggage(header: "userId=alice,serverNode=DF%2028,isProduction=false")["serverNode"] == "DF 28")
    }

    @Test(arguments: [
        ("a=", ""), ("a=b=c", "b=c"), ("a\t=\t1", "1"), ("a=%E2%82%AC", "€"), ("a=%e2%82%ac", "€"),
        ("a=100%25", "100%"),
        ("a=100%", "100%"), ("a=5%off", "5%off"), ("a=%4", "%4"), ("a=%FF", "\u{FFFD}"), ("a=%41%zz", "A%zz"),
        ("a=1,a=2", "2"), ("a=+", "+"), ("a=!#$&'()*/:<=>?@[]^_`{|}~", "!#$&'()*/:<=>?@[]^_`{|}~"),
    ])
    func `values are read as the grammar has them`(header: String, value: String) {
        #expect(Baggage(header: header)["a"] == value)
    }

    @Test(arguments: [
        "", ",", "=", "=1", "a", "a;b", "a b=1", "a=1 2", "a=\"quoted\"", "a=back\\slash", "a=é", "ä=1", "a(b)=1",
        "a\u{0}=1",
        "a=1\u{7F}",
    ])
    func `members that break the grammar are passed over, and others are kept`(member: String) {
        let baggage = Baggage(header: "first=1,\(member),last=2")
        #expect(baggage.names == ["first", "last"])
    }

    @Test func `names are HTTP tokens and tell case`() {
        var baggage = Baggage()
        baggage["session.id"] = "s"
        baggage["Session.ID"] = "t"
        baggage["a b"] = "no"
        baggage[""] = "no"
        baggage["ü"] = "no"
        baggage["!#$%&'*+-.^_`|~"] = "token"
        #expect(baggage.names == ["session.id", "Session.ID", "!#$%&'*+-.^_`|~"])
        baggage["Session.ID"] = nil
        #expect(baggage.headerValue == "session.id=s,!#$%&'*+-.^_`|~=token")
    }

    @Test func `any text is carried and comes back`() {
        var random = SeededGenerator(seed: 3)
        let scalars = ["a", " ", ",", ";", "=", "%", "\\", "\"", "é", "€", "🔭", "\n", "\r", "\u{0}", "%20", "+"]
        for _ in 0..<2_000 {
            let value = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                scalars.randomElement(using: &random) ?? ""
            }.joined()
            var baggage = Baggage()
            baggage["key"] = value
            let header = baggage.headerValue ?? ""
            #expect(header.utf8.allSatisfy { (0x21...0x7E).contains($0) })
            #expect(Baggage(header: header)["key"].map { Array($0.utf8) } == Array(value.utf8))
        }
    }

    @Test func `metadata cannot smuggle a header or a member in`() {
        var baggage = Baggage()
        baggage[member: "a"] = Baggage.Member(value: "1", metadata: "ttl=60")
        baggage[member: "b"] = Baggage.Member(value: "2", metadata: "x\r\nAuthorization: Basic YQ==")
        baggage[member: "c"] = Baggage.Member(value: "3", metadata: "x,evil=1")
        #expect(baggage.headerValue == "a=1;ttl=60,b=2,c=3")
    }

    @Test func `64 members are carried`() {
        let header = (1...70).map { "key\($0)=\($0)" }.joined(separator: ",")
        let baggage = Baggage(header: header)
        #expect(baggage.names.count == 64)
        #expect(baggage["key64"] == "64" && baggage["key65"] == nil)
        var changed = baggage
        changed["key1"] = "changed"
        #expect(changed["key1"] == "changed")
    }

    @Test func `8192 bytes are carried, whole members alone`() {
        let exact = "a=" + String(repeating: "x", count: 8_190)
        #expect(Baggage(header: exact)["a"]?.utf8.count == 8_190)
        #expect(Baggage(header: exact).headerValue == exact)
        #expect(Baggage(header: exact + "x").isEmpty)

        let two = Baggage(header: "a=1," + "b=" + String(repeating: "x", count: 8_190))
        #expect(two.names == ["a"])

        var long = Baggage()
        long["first"] = "1"
        long["long"] = String(repeating: " ", count: 4_000)
        long["last"] = "2"
        #expect(long.headerValue == "first=1,last=2")
    }

    @Test func `merging lets the other's values win`() {
        let merged = Baggage(header: "a=1,b=2").merging(Baggage(header: "b=3,c=4"))
        #expect(merged.headerValue == "a=1,b=3,c=4")
        #expect(merged == Baggage(header: "a=1,b=3,c=4"))
        #expect(Set([merged, Baggage(header: "a=1,b=3,c=4")]).count == 1)
    }
}
