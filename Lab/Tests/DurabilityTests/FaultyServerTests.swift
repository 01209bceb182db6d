import AstrolabeTestSupport
import Testing

#if os(Linux)
/// A process with the SDK, and a server that misbehaves whenever it is asked.
struct `A server that misbehaves` {
    @Test(.enabled(if: Thoroughness.isThorough, "runs with ./astrolabe test --thorough"))
    func `costs an app less than 64 MB, and less than 2 % of a processor over 100 s`() async throws {
        for cost in try await FaultCost.all(for: "SDKFixture", { ["wait", $0, "\($1)", "1", "100"] }) {
            print(cost)
            #expect(cost.isLow, "\(cost)")
        }
    }
}
#endif
