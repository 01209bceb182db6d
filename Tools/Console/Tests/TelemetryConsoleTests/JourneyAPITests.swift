import BrowserKit
import Foundation
import Testing

@testable import TelemetryConsole
@testable import TelemetryQuery

/// Tests of funnels, flows and the map over a real SQLite file and a real socket.
@Suite
struct JourneyAPITests {
    private static let ever = "last 3650d"

    private static func path(_ endpoint: String, _ question: String) -> String {
        "/api/v1/\(endpoint)?q=" + (question.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
    }

    @Test(arguments: TestedStore.all)
    func `the shop's funnel leads from the list to the order`(store: TestedStore) async throws {
        try await ConsoleUnderTest.run(on: store) { console in
            var browsing = ShopVisit(number: 2, start: 1_790_000_000_000_000_000)
            browsing.launch()
            browsing.open(product: "OLJCESPC7Z", name: "Explorascope")
            var buying = ShopVisit.purchase()
            buying.event("demo.order.placed", [("demo.order.amount", 225.88)], trace: buying.traces["checkout"] ?? "")
            for visit in [browsing, buying] { try await console.send(visit) }
            var question = try await FunnelQuery.shipped()
            question.time = .last(nanoseconds: QueryLimits.timeRange)
            let json = String(decoding: try JSONEncoder().encode(question), as: UTF8.self)
            let answer = try await console.get(Self.path("journeys/funnel", json))
            let steps = answer["steps"].elements
            #expect(steps.map { $0["name"].text } == ["Product list", "Product", "Cart", "Checkout", "Order"])
            #expect(steps.map { $0["count"].int } == [2, 2, 1, 1, 1])
            #expect(steps.map { $0["lost"].int } == [0, 0, 1, 0, 0])
            #expect(steps[2]["ofPrevious"].double == 0.5)
            #expect(steps[1]["dropped"].elements.map { $0["session"].text } == [browsing.session])
            #expect(steps[4]["reached"][0]["trace"].text == buying.traces["checkout"])
            #expect((steps[4]["p50Ns"].int ?? 0) > 0)
            #expect(answer["question"]["by"].text == "installation")

            let response = try await HTTP.request(
                "POST", console.address + "/api/v1/journeys/funnel", headers: ["Content-Type": "application/json"],
                body: Array(json.utf8))
            #expect(try JSONResponse(response.body)["steps"].elements.map { $0["count"].int } == [2, 2, 1, 1, 1])
        }
    }

    @Test
    func `without a question the answer is the first funnel of the boards, the user's before those that ship`()
        async throws
    {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try await ConsoleUnderTest.run({ $0.boardsFolder = folder }) { console in
            func steps() async throws -> [String?] {
                try await console.get("/api/v1/journeys/funnel")["steps"].elements.map { $0["name"].text }
            }
            #expect(try await steps() == ["Product list", "Product", "Cart", "Checkout", "Order"])
            let board = """
                title: Trial
                panels:
                  - title: Who subscribes
                    funnel:
                      steps:
                        - {name: Trial, where: name = trial.started}
                        - {name: Paid, where: name = subscription.started}
                """
            try Data(board.utf8).write(to: folder.appendingPathComponent("trial.yaml"))
            #expect(try await steps() == ["Trial", "Paid"])
        }
    }

    @Test(arguments: TestedStore.all)
    func `screens follow each other in each session`(store: TestedStore) async throws {
        try await ConsoleUnderTest.run(on: store) { console in
            let visit = ShopVisit.purchase()
            try await console.send(visit)
            let answer = try await console.get(Self.path("journeys/flow", #"{"time": "\#(Self.ever)"}"#))
            #expect(answer["paths"].int == 1)
            let links = answer["links"].elements
            #expect(links.map { $0["to"].text } == ["ProductDetail", "Cart", "Checkout", "ProductList"])
            #expect(links[0]["examples"][0]["session"].text == visit.session)
            #expect(answer["nodes"].elements.map { $0["ended"].int } == [0, 0, 0, 0, 1])
        }
    }

    @Test(arguments: TestedStore.all)
    func `the map has the phone, its backend and the calls between them`(store: TestedStore) async throws {
        try await ConsoleUnderTest.run(on: store) { console in
            let visit = ShopVisit.purchase()
            try await console.send(visit)
            let answer = try await console.get("/api/v1/map?time=last%203650d")
            let nodes = answer["nodes"].elements
            #expect(nodes.map { $0["name"].text } == ["astronomy-shop", "shop-backend"])
            #expect(nodes.map { $0["kind"].text } == ["device", "service"])
            let requests = visit.backendSpans.filter { $0.kind == 2 }
            #expect(nodes[1]["handled"]["count"].int == requests.count)
            let edges = answer["edges"].elements
            #expect(edges.map { $0["calls"]["count"].int } == [requests.count])
            #expect(edges.map { $0["calls"]["errors"].int } == [1])
            #expect(answer["spansWithoutCaller"].int == 0)
        }
    }

    @Test(arguments: [
        (
            "journeys/funnel?q=%7B%22steps%22%3A%5B%7B%22name%22%3A%22a%22%2C%22where%22%3A%22b%20%3D%22%7D%5D%7D",
            "steps[0].where",
        ),
        ("journeys/flow?q=%7B%22depth%22%3A99%7D", "depth"),
    ])
    func `a question that is not valid names the place`(path: String, place: String) async throws {
        try await ConsoleUnderTest.run { console in
            let response = try await HTTP.request("GET", "\(console.address)/api/v1/\(path)")
            #expect(response.status == 400)
            #expect(try JSONResponse(response.body)["path"].text == place)
        }
    }

    @Test
    func `a time that is not valid is an error of the map`() async throws {
        try await ConsoleUnderTest.run { console in
            let response = try await HTTP.request("GET", "\(console.address)/api/v1/map?time=soon")
            #expect(response.status == 400)
        }
    }
}
