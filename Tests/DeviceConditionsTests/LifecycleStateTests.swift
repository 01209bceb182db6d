import Testing

@testable import AstrolabeDeviceConditions

struct LifecycleStateTests {
    @Test(arguments: LifecycleState.allCases, LifecycleState.allCases)
    func `every path consists of connected legal steps`(from: LifecycleState, to: LifecycleState) throws {
        guard let steps = from.steps(to: to) else { return }
        var state = from
        for step in steps {
            #expect(step.from == state)
            #expect(state.successors.contains(step.to))
            state = step.to
        }
        #expect(state == to)
    }

    @Test(arguments: LifecycleState.allCases)
    func `staying is not a step`(state: LifecycleState) {
        #expect(state.steps(to: state) == [])
    }

    @Test(arguments: LifecycleState.allCases.filter { $0 != .terminated })
    func `every living state can end directly, and none follows the end`(state: LifecycleState) {
        #expect(state.steps(to: .terminated) == [LifecycleTransition(from: state, to: .terminated)])
        #expect(LifecycleState.terminated.steps(to: state) == nil)
    }

    @Test(arguments: LifecycleState.allCases.filter { $0 != .launching })
    func `nothing leads back to launching`(state: LifecycleState) {
        #expect(state.steps(to: .launching) == nil)
    }

    @Test func `an omitted notification is stepped through`() {
        #expect(LifecycleState.active.steps(to: .suspended)?.map(\.to) == [.inactive, .background, .suspended])
        #expect(LifecycleState.suspended.steps(to: .active)?.map(\.to) == [.background, .inactive, .active])
    }

    @Test func `the steps of a visit have the values of the semantic conventions`() throws {
        let visit: [LifecycleState] = [.active, .background, .suspended, .active, .terminated]
        var state = LifecycleState.launching
        var words: [String?] = []
        for next in visit {
            words += try #require(state.steps(to: next)).map(\.appState)
            state = next
        }
        #expect(
            words == ["active", "inactive", "background", nil, nil, "foreground", "active", "terminate"]
        )
    }
}
