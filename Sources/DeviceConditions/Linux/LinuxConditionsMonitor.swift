#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

#if os(Linux) || os(Android)
package import AstrolabePlatform

/// Watches the network, power, heat and memory of a Linux device from one thread that mostly sleeps.
///
/// Routes and links are told by rtnetlink and memory stalls by PSI triggers; power and heat, which the kernel tells to
/// nobody without privileges, and whatever of the former is not allowed, are read every `pollInterval`. The lifecycle
/// is the caller's to tell: ``ConditionsMonitor/moveLifecycle(to:)``.
package final class LinuxConditionsMonitor: ConditionsMonitor {
    /// What the kernel is asked to tell.
    package enum Watch: Sendable, CaseIterable {
        case links
        case memoryStalls
    }

    package let board: ConditionsStore
    private let tree: SystemTree
    private let pollInterval: Duration
    private let watches: Set<Watch>
    private let now: @Sendable () -> UInt64
    private let account: CPUTimeMeter
    private let loop = Locked<Loop?>(nil)

    /// - Parameters:
    ///   - pollInterval: At least 10 ms.
    ///   - watches: Where `nil`, everything for the system's own tree and nothing for a copy, which the kernel does
    ///     not know.
    ///   - now: Nanoseconds by a clock that never goes back.
    ///   - account: Where the time of the thread is counted.
    package init(
        tree: SystemTree = SystemTree(),
        lifecycle: LifecycleState = .launching,
        pollInterval: Duration = .seconds(10),
        watches: Set<Watch>? = nil,
        now: @escaping @Sendable () -> UInt64 = { SystemTime.sinceBoot },
        account: CPUTimeMeter = CPUTimeMeter(),
    ) {
        board = ConditionsStore(Conditions(lifecycle: lifecycle))
        self.tree = tree
        self.pollInterval = pollInterval
        self.watches = watches ?? (tree.isSystem ? Set(Watch.allCases) : [])
        self.now = now
        self.account = account
    }

    deinit { loop.withLock { $0?.stop() } }

    package func start() {
        let started = loop.withLock { loop -> Loop? in
            guard loop == nil else { return nil }
            loop = Loop(tree: tree, board: board, pollInterval: pollInterval, watches: watches, now: now)
            return loop
        }
        started?.start(countedBy: account)
    }

    package func stop() {
        loop.withLock { loop in
            loop?.stop()
            loop = nil
        }
        board.finish()
    }

    /// Reads everything again soon, as after the process was suspended.
    package func refresh() {
        loop.withLock { $0 }?.refresh()
    }
}

/// One watching thread, from its start to its stop.
private final class Loop: Sendable {
    private let tree: SystemTree
    private let board: ConditionsStore
    private let pollMilliseconds: Int32
    private let watches: Set<LinuxConditionsMonitor.Watch>
    private let now: @Sendable () -> UInt64
    private let wakeup: Wakeup?
    private let isStopped = Locked(false)
    private let latch = Locked(PressureLatch())

    init(
        tree: SystemTree,
        board: ConditionsStore,
        pollInterval: Duration,
        watches: Set<LinuxConditionsMonitor.Watch>,
        now: @escaping @Sendable () -> UInt64,
    ) {
        self.tree = tree
        self.board = board
        let (seconds, attoseconds) = max(min(pollInterval, .seconds(3600)), .milliseconds(10)).components
        pollMilliseconds = Int32(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
        self.watches = watches
        self.now = now
        wakeup = Wakeup()
    }

    func start(countedBy account: CPUTimeMeter) {
        account.measure { publish() }
        let links = watches.contains(.links) ? KernelEvents.links() : nil
        let memory = "/proc/pressure/memory"
        let stalls = watches.contains(.memoryStalls)
        let warning = stalls ? KernelEvents.stalls(in: memory, of: "some", microseconds: 200_000) : nil
        let critical = stalls ? KernelEvents.stalls(in: memory, of: "full", microseconds: 100_000) : nil
        DedicatedThread.start(countedBy: account) { [self] in run(links: links, warning: warning, critical: critical) }
    }

    func stop() {
        isStopped.withLock { $0 = true }
        wakeup?.signal()
    }

    func refresh() { wakeup?.signal() }

    private func run(links: KernelEvents?, warning: KernelEvents?, critical: KernelEvents?) {
        // `poll` passes over negative descriptors, so each kind keeps its place.
        var polled = [links, warning, critical].map {
            pollfd(fd: $0?.descriptor ?? -1, events: $0?.interest ?? 0, revents: 0)
        }
        polled.append(pollfd(fd: wakeup?.readEnd ?? -1, events: Int16(POLLIN), revents: 0))
        while !isStopped.withLock({ $0 }) {
            let count = poll(&polled, nfds_t(polled.count), pollMilliseconds)
            if count > 0 {
                if polled[0].revents != 0 { settle(links) }
                if isRaised(&polled[1]) { raise(.warning) }
                if isRaised(&polled[2]) { raise(.critical) }
                if polled[3].revents != 0 { wakeup?.drain() }
            }
            if !isStopped.withLock({ $0 }) { publish() }
        }
    }

    /// Lets a burst of messages (a link, its addresses, its routes) end, at most for a fifth of a second.
    private func settle(_ links: KernelEvents?) {
        guard let links else { return }
        links.drain()
        var more = pollfd(fd: links.descriptor, events: links.interest, revents: 0)
        for _ in 0..<4 where poll(&more, 1, 50) > 0 { links.drain() }
    }

    /// A trigger whose file went away reports an error for ever and is waited for no longer.
    private func isRaised(_ polled: inout pollfd) -> Bool {
        if polled.revents & Int16(POLLERR | POLLNVAL) != 0 { polled.fd = -1 }
        return polled.revents & Int16(POLLPRI) != 0 && polled.fd >= 0
    }

    private func raise(_ level: MemoryPressure) {
        latch.withLock { $0.raise(level, at: now()) }
    }

    private func publish() {
        let memory = LinuxMemory.pressure(in: tree)
        board.apply(
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
