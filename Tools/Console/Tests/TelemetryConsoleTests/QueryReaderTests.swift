import BrowserKit
import HummingbirdCore
import Testing

@testable import TelemetryConsole

/// Tests of the query strings of the API.
@Suite struct `A query string` {
    @Test(
        arguments: [
            ("q=count+by+name", "count by name"), ("q=count%20by%20name", "count by name"), ("q=a%2Bb", "a+b"),
            ("q=a=b", "a=b"), ("q=%zz+1", "%zz 1"), ("q=first&q=second", "first"), ("x=1&q=2#3", "2"), ("%71=1", "1"),
            ("q=", nil), ("q", nil), ("", nil), ("&&q=%C3%BC&", "ü"),
        ] as [(String, String?)])
    func `is read as forms and browsers write it`(query: String, value: String?) {
        #expect(QueryReader(URI("/api/v1/query?" + query)).text("q") == value)
    }

    @Test
    func `means the same with either space`() async throws {
        try await ConsoleUnderTest.run { console in
            try await console.send(ShopVisit.purchase())
            let form = try await console.get("/api/v1/query?q=count+by+name+last+3650d+every+total")
            let escaped = try await console.get("/api/v1/query?q=count%20by%20name%20last%203650d%20every%20total")
            #expect(form["query"].text == escaped["query"].text)
            #expect(!form["rows"].elements.isEmpty)
            #expect(form["rows"].elements.count == escaped["rows"].elements.count)
        }
    }
}
