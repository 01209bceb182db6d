import Testing

@testable import AstrolabeBridges

@Suite
struct `The name of a bridged instrument` {
    @Test(arguments: [
        ("http.server.requests", "http.server.requests"), ("a b", "a_b"), ("größe", "gr__e"), ("9lives", "m9lives"),
        ("", "unnamed"),
    ])
    func `keeps what the specification allows and replaces the rest`(label: String, name: String) {
        #expect(BridgedMetricsFactory.name(label) == name)
    }

    @Test
    func `is cut at 255 characters`() {
        #expect(BridgedMetricsFactory.name(String(repeating: "a", count: 300)).count == 255)
    }
}
