import AstrolabeSemantics
import Testing

@Suite struct `Span names` {
    @Test func `a request is named by its method and the template of its path`() {
        #expect(SpanName.httpClient(method: "GET", template: "/api/products/{id}") == "GET /api/products/{id}")
        #expect(SpanName.httpServer(method: "POST", route: "/api/cart") == "POST /api/cart")
    }

    @Test func `a request whose template is not known is named by its method alone`() {
        #expect(SpanName.httpClient(method: "GET") == "GET")
        #expect(SpanName.httpServer(method: "GET", route: "") == "GET")
    }

    @Test(arguments: ["get", "BREW", "", "GET /api/products/OLJCESPC7Z"])
    func `a method the conventions do not know cannot make a name of its own`(method: String) {
        #expect(SpanName.httpClient(method: method, template: "/api/cart") == "HTTP /api/cart")
    }

    @Test func `the spans of a view are named after it`() {
        #expect(SpanName.view("HomeScreen") == "HomeScreen")
        #expect(SpanName.viewBody("HomeScreen") == "HomeScreen.body")
        #expect(SpanName.viewOnAppear("HomeScreen") == "HomeScreen.onAppear")
        #expect(SpanName.viewOnDisappear("HomeScreen") == "HomeScreen.onDisappear")
    }
}
