#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

#if os(Linux) || os(Android)
public import AstrolabeDeviceConditions
import AstrolabePlatform

/// Monitors the network, power, heat and memory of a Linux device on one thread that mostly sleeps.
///
///     var configuration = TelemetryConfiguration(serviceName: "kiosk")
///     configuration.conditions = LinuxConditionsMonitor()
///
/// rtnetlink reports routes and links, and PSI triggers report memory stalls. The kernel reports power and heat only to
/// privileged processes, so these are read every 10 s, as is anything not permitted. The app must report the lifecycle:
/// `Telemetry.moveLifecycle(to:)`.
public final class LinuxConditionsMonitor: ConditionsMonitor {
    /// The kernel events that can be subscribed to.
    package enum Watch: Sendable, CaseIterable {
        case links
        case memoryStalls
    }

    /// The store that the conditions are published to.
    public let store: ConditionsStore
    private let tree: SystemTree
    private let pollInterval: Duration
    private let watches: Set<Watch>
    private let now: @Sendable () -> UInt64
    private let loop = Locked<Loop?>(nil)

    /// Creates a monitor of this machine, which is not started.
    public convenience init() {
        self.init(tree: SystemTree())
    }

    /// Creates a monitor.
    ///
    /// - Parameters:
    ///   - tree: The files to read.
    ///   - lifecycle: The initial lifecycle state.
    ///   - pollInterval: Time between two reads, at least 10 ms. Default 10 s.
    ///   - watches: The events to subscribe to. `nil` means all for the system's tree, and none for a copy, for which
    ///     the kernel reports no events.
    ///   - now: Nanoseconds on a monotonic clock.
    package init(
        tree: SystemTree,
        lifecycle: LifecycleState = .launching,
        pollInterval: Duration = .seconds(10),
        watches: Set<Watch>? = nil,
        now: @escaping @Sendable () -> UInt64 = { SystemTime.sinceBoot },
    ) {
        store = ConditionsStore(Conditions(lifecycle: lifecycle))
        self.tree = tree
        self.pollInterval = pollInterval
        self.watches = watches ?? (tree.isSystem ? Set(Watch.allCases) : [])
        self.now = now
    }

    deinit { loop.exchange(nil)?.stop() }

    /// Reads the conditions and starts the thread. Does nothing if it runs already.
    public func start() {
        let started = loop.withLock { loop -> Loop? in
            guard loop == nil else { return nil }
            loop = Loop(tree: tree, store: store, pollInterval: pollInterval, watches: watches, now: now)
            return loop
        }
        started?.start()
    }

    /// Ends the thread and the sequences of `changes()`. The monitor can be started again.
    public func stop() {
        loop.exchange(nil)?.stop()
        store.finish()
    }

    /// Triggers a read of all conditions, for example after the process was suspended.
    package func refresh() {
        loop.withLock { $0 }?.refresh()
    }
}

/// A monitoring thread, from its start to its stop.
private final class Loop: Sendable {
    private let tree: SystemTree
    private let store: ConditionsStore
    private let pollMilliseconds: Int32
    private let watches: Set<LinuxConditionsMonitor.Watch>
    private let now: @Sendable () -> UInt64
    private let wakeup: Wakeup?
    private let isStopped = Locked(false)
    private let latch = Locked(PressureLatch())

    init(
        tree: SystemTree,
        store: ConditionsStore,
        pollInterval: Duration,
        watches: Set<LinuxConditionsMonitor.Watch>,
        now: @escaping @Sendable () -> UInt64,
    ) {
        self.tree = tree
        self.store = store
        pollMilliseconds = Int32(max(min(pollInterval, .seconds(3600)), .milliseconds(10)).milliseconds)
        self.watches = watches
        self.now = now
        wakeup = Wakeup()
    }

    func start() {
        publish()
        let links = watches.contains(.links) ? KernelEvents.links() : nil
        let memory = "/proc/pressure/memory"
        let stalls = watches.contains(.memoryStalls)
        let warning = stalls ? KernelEvents.stalls(in: memory, of: "some", microseconds: 200_000) : nil
        let critical = stalls ? KernelEvents.stalls(in: memory, of: "full", microseconds: 100_000) : nil
        DedicatedThread.start(countedBy: CPUTimeMeter()) { [self] in
            run(links: links, warning: warning, critical: critical)
        }
    }

    func stop() {
        isStopped.withLock { $0 = true }
        wakeup?.signal()
    }

    func refresh() { wakeup?.signal() }

    private func run(links: KernelEvents?, warning: KernelEvents?, critical: KernelEvents?) {
        // `poll` ignores negative descriptors, so each kind keeps its index.
        var polled = [links, warning, critical].map {
            pollfd(fd: $0?.descriptor ?? -1, events: $0?.interest ?? 0, revents: 0)
        }
        polled.append(pollfd(fd: wakeup?.readEnd ?? -1, events: Int16(POLLIN), revents: 0))
        while !isStopped.withLock({ $0 }) {
            let count = poll(&polled, nfds_t(polled.count), pollMilliseconds)
            if count > 0 {
                if polled[0].revents != 0 { drainBurst(of: links) }
                if isRaised(&polled[1]) { raise(.warning) }
                if isRaised(&polled[2]) { raise(.critical) }
                if polled[3].revents != 0 { wakeup?.drain() }
            }
            if !isStopped.withLock({ $0 }) { publish() }
        }
    }

    /// Waits for the end of a burst of messages (a link, its addresses, its routes), at most 0.2 s.
    private func drainBurst(of links: KernelEvents?) {
        guard let links else { return }
        links.drain()
        var more = pollfd(fd: links.descriptor, events: links.interest, revents: 0)
        for _ in 0..<4 where poll(&more, 1, 50) > 0 { links.drain() }
    }

    /// Returns whether the trigger fired. A trigger whose file was removed reports an error forever, so it is no longer
    /// polled.
    private func isRaised(_ polled: inout pollfd) -> Bool {
        if polled.revents & Int16(POLLERR | POLLNVAL) != 0 { polled.fd = -1 }
        return polled.revents & Int16(POLLPRI) != 0 && polled.fd >= 0
    }

    private func raise(_ level: MemoryPressure) {
        latch.withLock { $0.raise(level, at: now()) }
    }

    private func publish() {
        let memory = LinuxMemory.pressure(in: tree)
        store.apply(
            ConditionsUpdate(
                network: LinuxNetwork.path(in: tree),
                power: LinuxPower.power(in: tree),
                thermal: LinuxThermal.state(in: tree),
                memory: latch.withLock { $0.level(polled: memory, at: now()) },
            )
        )
    }
}
#endif
