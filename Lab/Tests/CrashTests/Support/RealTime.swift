import Dispatch

/// The clock of other processes, which no test can advance: how long they are stopped is what is tested.
enum RealTime {
    static func pass(microseconds: Int) {
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .microseconds(microseconds))
    }
}
