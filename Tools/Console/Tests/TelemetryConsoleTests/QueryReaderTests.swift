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

    @Test(arguments: [
        ("sessions?servce=shop&limit=5", "servce", "cursor, device, errors, fromUs"),
        ("status?limit=1", "limit", "class"),
        ("journeys/flow?field=os.version", "field", "class, kept, q"), ("traces/x?span=1", "span", "class"),
        ("access?key=1", "key", "no parameters"), ("releases?since=1", "since", "fromUs, limit, toUs"),
    ])
    func `with a parameter that the path does not read is refused by its name`(
        path: String, name: String, known: String,
    ) async throws {
        try await ConsoleUnderTest.run { console in
            let response = try await HTTP.request("GET", "\(console.address)/api/v1/\(path)")
            #expect(response.status == 400)
            let error = try JSONResponse(response.body)["error"].text ?? ""
            #expect(error.hasPrefix("\(name): unknown parameter; expected "), "\(error)")
            #expect(error.contains(known), "\(error)")
        }
    }

    @Test
    func `of a page is read by its script alone`() async throws {
        try await ConsoleUnderTest.run { console in
            let response = try await HTTP.request("GET", "\(console.address)/explore?q=count&tab=records")
            #expect(response.status == 200)
        }
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
