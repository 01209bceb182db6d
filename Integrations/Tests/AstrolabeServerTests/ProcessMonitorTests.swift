import Testing

@testable import AstrolabeServer

struct ProcessMonitorTests {
    @Test func `the threads are those of the kernel's status`() {
        #expect(ProcessMonitor.threads(inStatus: "Name:\tshop\nThreads:\t12\nSigQ:\t0/1\n") == 12)
        #expect(ProcessMonitor.threads(inStatus: "") == nil)
    }
}
