@testable import DeviceSimulator

extension Scenario {
    /// Gives the steps that name no timeout more time than the default, so that none fails on a busy machine.
    mutating func allowMoreTime() {
        for index in steps.indices where steps[index].timeout == Step.defaultTimeout { steps[index].timeout = 120 }
    }
}
