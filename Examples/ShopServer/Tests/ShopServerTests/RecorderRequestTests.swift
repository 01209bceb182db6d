import InMemoryTracing
import ShopServer
import Testing
import Tracing

/// Requests of a console for the shop's part of traces.
@Suite struct RecorderRequestTests {
    private static let path = "/recorder/promote"

    private static let promotion = ShopBackend.Promotion(path: path, maximumBodyBytes: 64) { authorization, body in
        authorization == "Bearer secret"
            ? (status: 200, body: "{\"length\":\(body.count)}") : (status: 401, body: "{\"error\":\"no key\"}")
    }

    @Test(arguments: Transport.allCases)
    func `are answered by the program's handler, and make no span`(transport: Transport) async throws {
        let tracer = InMemoryTracer()
        try await withTracer(tracer) {
            try await withShop(transport) {
                $0.promotion = Self.promotion
            } _: { shop in
                let headers = ["Authorization": "Bearer secret"]
                let answer = try await shop.send("POST", Self.path, body: "{}", headers: headers)
                #expect(answer.status == 200 && answer.text == #"{"length":2}"#)
                #expect(try await shop.send("POST", Self.path, body: "{}").status == 401)
                #expect(try await shop.send("GET", Self.path, headers: headers).status == 405)
                let long = String(repeating: "x", count: 65)
                #expect(try await shop.send("POST", Self.path, body: long, headers: headers).status == 413)
            }
        }
        #expect(tracer.takeSpans().isEmpty)
    }

    @Test(arguments: Transport.allCases)
    func `have no answer in a shop without a handler`(transport: Transport) async throws {
        try await withShop(transport) { shop in
            let answer = try await shop.send("POST", Self.path, body: "{}")
            #expect(answer.status == 404)
        }
    }
}
