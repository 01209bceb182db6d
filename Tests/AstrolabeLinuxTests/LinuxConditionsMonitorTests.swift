#if os(Linux)
import AstrolabeDeviceConditions
import AstrolabePlatform
import AstrolabeTestSupport
import Foundation
import Glibc
import Testing

@testable import AstrolabeLinux

@Suite(.timeLimit(.minutes(5)))
struct LinuxConditionsMonitorTests {
    private let laptop =
        Fixtures.routes(Fixtures.route("wlan0", metric: 600)) + Fixtures.wifi()
        + Fixtures.battery(percent: 50, status: "Discharging") + Fixtures.pressure()

    @Test func `what can be read is known when start returns`() throws {
        let files = try FixtureTree(laptop)
        let monitor = LinuxConditionsMonitor(tree: files.tree, lifecycle: .active)
        #expect(monitor.current == Conditions(lifecycle: .active))
        monitor.start()
        #expect(
            monitor.current
                == Conditions(network: .wifi, power: Power(level: 0.5, source: .unplugged), lifecycle: .active)
        )
        monitor.stop()
    }

    @Test func `changed files are seen at the next poll`() async throws {
        let files = try FixtureTree(laptop)
        let monitor = LinuxConditionsMonitor(tree: files.tree, pollInterval: .milliseconds(10))
        monitor.start()
        var changes = monitor.changes().makeAsyncIterator()
        #expect(await changes.next()?.network == .wifi)
        try files.remove("proc/net/route")
        #expect(await changes.next()?.network == .offline)
        try files.write("12", to: "sys/class/power_supply/BAT0/capacity")
        #expect(await changes.next()?.power.level == 0.12)
        monitor.stop()
        #expect(await changes.next() == nil)
    }

    @Test func `a refresh reads immediately`() async throws {
        let files = try FixtureTree(laptop)
        let monitor = LinuxConditionsMonitor(tree: files.tree, pollInterval: .seconds(3600))
        monitor.start()
        var changes = monitor.changes().makeAsyncIterator()
        #expect(await changes.next()?.network == .wifi)
        try files.remove("proc/net/route")
        monitor.refresh()
        #expect(await changes.next()?.network == .offline)
        monitor.stop()
    }

    @Test func `a stopped monitor can be started again`() async throws {
        let files = try FixtureTree(laptop)
        let monitor = LinuxConditionsMonitor(tree: files.tree, pollInterval: .seconds(3600))
        monitor.start()
        monitor.stop()
        try files.remove("proc/net/route")
        monitor.start()
        #expect(monitor.current.network == .offline)
        monitor.stop()
    }

    @Test func `the caller reports the lifecycle`() throws {
        let monitor = LinuxConditionsMonitor(tree: try FixtureTree(laptop).tree)
        monitor.start()
        monitor.moveLifecycle(to: .background)
        #expect(monitor.current.lifecycle == .background)
        monitor.stop()
    }

    @Test func `this machine's own files are read`() {
        let monitor = LinuxConditionsMonitor()
        monitor.start()
        let hasDefaultRoute = !LinuxNetwork.defaultRoutes(ipv4: SystemTree().text("/proc/net/route") ?? "").isEmpty
        if hasDefaultRoute { #expect(monitor.current.network.isOnline) }
        monitor.stop()
    }

    /// Starts the monitor in its own network namespace and brings the loopback interface up: a real kernel event that
    /// affects nothing else on the machine.
    @Test(.enabled(if: NetworkNamespace.isAllowed, "needs the right to make a network namespace"))
    func `the kernel reports a changed link`() async throws {
        let files = try FixtureTree(laptop)
        let monitor = LinuxConditionsMonitor(tree: files.tree, pollInterval: .seconds(3600), watches: [.links])
        var changes = monitor.changes().makeAsyncIterator()
        let namespace = try await NetworkNamespace.starting { monitor.start() }
        #expect(await changes.next()?.network == .wifi)
        try files.remove("proc/net/route")
        namespace.switchLoopbackOn()
        #expect(await changes.next()?.network == .offline)
        monitor.stop()
    }

    /// The mechanism of the memory triggers, tested with CPU stalls, which a test can cause without harm.
    @Test(.enabled(if: SystemTree().exists("/proc/pressure/cpu"), "needs a kernel with PSI"))
    func `the kernel reports stalls`() async throws {
        guard let stalls = KernelEvents.stalls(in: "/proc/pressure/cpu", of: "some", microseconds: 1000) else {
            // Kernels before 6.5 accept triggers only from privileged processes.
            #expect(geteuid() != 0)
            return
        }
        let isDone = Locked(false)
        defer { isDone.withLock { $0 = true } }
        for _ in 0..<(sysconf(Int32(_SC_NPROCESSORS_ONLN)) * 2) {
            DedicatedThread.start(countedBy: CPUTimeMeter()) { while !isDone.withLock({ $0 }) {} }
        }
        var polled = pollfd(fd: stalls.descriptor, events: stalls.interest, revents: 0)
        try await eventually("the kernel reports a stall") { poll(&polled, 1, 0) == 1 }
        #expect(polled.revents & Int16(POLLPRI) != 0)
        withExtendedLifetime(stalls) {}
    }

    @Test func `a trigger for a missing file fails`() {
        #expect(KernelEvents.stalls(in: "/proc/pressure/timeout", of: "some", microseconds: 1000) == nil)
    }
}

/// A thread in its own network namespace.
private final class NetworkNamespace: Sendable {
    private typealias Unshare = @convention(c) (Int32) -> Int32

    /// `CLONE_NEWNET`, which the C library's module does not export.
    private static let newNetwork: Int32 = 0x4000_0000

    private let order = DispatchSemaphore(value: 0)

    static var isAllowed: Bool {
        let result = Locked(false)
        let isDone = DispatchSemaphore(value: 0)
        DedicatedThread.start(countedBy: CPUTimeMeter()) {
            result.withLock { $0 = enter() }
            isDone.signal()
        }
        isDone.wait()
        return result.withLock { $0 }
    }

    /// Runs the body on a new thread in a new namespace, which the threads it starts inherit.
    static func starting(_ body: @escaping @Sendable () -> Void) async throws -> NetworkNamespace {
        let namespace = NetworkNamespace()
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            DedicatedThread.start(countedBy: CPUTimeMeter()) {
                guard enter() else { return continuation.resume(throwing: CancellationError()) }
                body()
                continuation.resume()
                namespace.order.wait()
                Self.bringUpLoopback()
            }
        }
        return namespace
    }

    func switchLoopbackOn() { order.signal() }

    private static func enter() -> Bool {
        guard let symbol = dlsym(nil, "unshare") else { return false }
        return unsafeBitCast(symbol, to: Unshare.self)(newNetwork) == 0
    }

    /// `struct ifreq`: 16 bytes of name, then the flags.
    private static func bringUpLoopback() {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        var request = [UInt8](repeating: 0, count: 40)
        request.replaceSubrange(0..<2, with: Array("lo".utf8))
        request[16] = UInt8(IFF_UP)
        let setFlags: UInt = 0x8914
        _ = ioctl(descriptor, setFlags, &request)
    }
}
#endif
