#if canImport(Darwin)
import Dispatch
import Foundation
import Network
import AstrolabePlatform

#if canImport(UIKit) && !os(watchOS)
import UIKit
#endif
#if os(iOS)
import CoreTelephony
#endif

/// Publishes what Apple's frameworks report to the conditions store, without deciding anything.
///
/// Start it on the main thread, so that power and lifecycle are known on return; from other threads they follow soon.
/// The network follows with the first report of the path monitor. On macOS the battery is unknown, and the caller must
/// report the lifecycle.
package final class AppleConditionsMonitor: ConditionsMonitor {
    private struct Session {
        var path: NWPathMonitor
        var sources: [any DispatchSourceMemoryPressure] = []
        var observers: [any NSObjectProtocol] = []
    }

    package let store = ConditionsStore()
    private let session = Locked<Session?>(nil)
    #if os(iOS)
    private let measuring = Locked(DeviceMeasuring())
    #endif
    private let telephony = Telephony()
    private let systemPressure = Locked(MemoryPressure.normal)
    private let queue = DispatchQueue(label: "astrolabe.conditions", qos: .utility)

    package init() {}

    deinit { end() }

    package func start() {
        let isNew = session.withLock { session in
            guard session == nil else { return false }
            session = Session(path: NWPathMonitor())
            return true
        }
        guard isNew else { return }
        watchNetwork()
        watchHeat()
        watchMemory()
        if Thread.isMainThread {
            MainActor.assumeIsolated { watchDevice() }
        } else {
            Task { @MainActor in watchDevice() }
        }
    }

    package func stop() {
        end()
        store.finish()
    }

    private func end() {
        let ended = session.exchange(nil)
        ended?.path.cancel()
        ended?.sources.forEach { $0.cancel() }
        ended?.observers.forEach { NotificationCenter.default.removeObserver($0) }
        #if os(iOS)
        let change = measuring.withLock { $0.stop() }
        if change != nil { Task { @MainActor in Self.measure(change) } }
        #endif
    }

    private func watchNetwork() {
        session.withLock { session in
            session?.path.pathUpdateHandler = { [store, telephony] path in
                store.apply(ConditionsUpdate(network: Self.network(path, telephony.radioTechnology)))
            }
            session?.path.start(queue: queue)
        }
        #if os(iOS)
        // The path does not change if a phone switches from one radio technology to another.
        observe(.CTServiceRadioAccessTechnologyDidChange) { [store, telephony, session, queue] in
            queue.async {
                guard let path = session.withLock({ $0?.path.currentPath }) else { return }
                store.apply(ConditionsUpdate(network: Self.network(path, telephony.radioTechnology)))
            }
        }
        #endif
    }

    private func watchHeat() {
        let publish: @Sendable () -> Void = { [store] in
            let state = ProcessInfo.processInfo.thermalState.rawValue
            store.apply(ConditionsUpdate(thermal: AppleMapping.thermal(state: state)))
        }
        publish()
        observe(ProcessInfo.thermalStateDidChangeNotification, publish)
    }

    private func watchMemory() {
        let levels: [(DispatchSource.MemoryPressureEvent, MemoryPressure)] = [
            (.normal, .normal), (.warning, .warning), (.critical, .critical),
        ]
        for (event, level) in levels {
            let source = DispatchSource.makeMemoryPressureSource(eventMask: event, queue: queue)
            source.setEventHandler { [store, systemPressure] in
                systemPressure.withLock { $0 = level }
                store.apply(ConditionsUpdate(memory: level))
            }
            source.resume()
            session.withLock { $0?.sources.append(source) }
        }
    }

    private static func network(_ path: NWPath, _ radioTechnology: String?) -> NetworkPath {
        let status: AppleMapping.PathStatus =
            switch path.status {
            case .satisfied: .satisfied
            case .requiresConnection: .requiresConnection
            default: .unsatisfied
            }
        return AppleMapping.network(
            status: status,
            usesWifi: path.usesInterfaceType(.wifi),
            usesCellular: path.usesInterfaceType(.cellular),
            usesEthernet: path.usesInterfaceType(.wiredEthernet),
            isExpensive: path.isExpensive,
            isConstrained: path.isConstrained,
            radioTechnology: radioTechnology,
        )
    }

    private func observe(_ name: Notification.Name, _ action: @escaping @Sendable () -> Void) {
        let observer = NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { _ in action()
        }
        let isWatching = session.withLock { session in
            session?.observers.append(observer)
            return session != nil
        }
        if !isWatching { NotificationCenter.default.removeObserver(observer) }
    }

    #if canImport(UIKit) && !os(watchOS)
    @MainActor
    private func watchDevice() {
        // It may have been stopped before the main thread came to this.
        guard session.withLock({ $0 != nil }) else { return }
        #if os(iOS)
        let publishPower: @Sendable () -> Void = { [store] in
            MainActor.assumeIsolated { _ = store.apply(ConditionsUpdate(power: .current(after: store.current.power))) }
        }
        observe(UIDevice.batteryLevelDidChangeNotification, publishPower)
        observe(UIDevice.batteryStateDidChangeNotification, publishPower)
        observe(.NSProcessInfoPowerStateDidChange, publishPower)

        let publishOrientation: @Sendable () -> Void = { [store] in
            MainActor.assumeIsolated {
                var update = ConditionsUpdate()
                update.orientation = AppleMapping.orientation(UIDevice.current.orientation.rawValue)
                store.apply(update)
            }
        }
        observe(UIDevice.orientationDidChangeNotification, publishOrientation)
        #else
        watchLowPowerMode()
        #endif

        let application = SharedApplication.current
        if let application {
            let state = AppleMapping.lifecycle(state: application.applicationState.rawValue)
            store.apply(ConditionsUpdate(lifecycle: state))
        }
        #if os(iOS)
        let isMonitored = UIDevice.current.isBatteryMonitoringEnabled
        Self.measure(measuring.withLock { $0.start(store.current.lifecycle, isBatteryMonitored: isMonitored) })
        publishPower()
        publishOrientation()
        // Likewise between the check above and this.
        if session.withLock({ $0 == nil }) { Self.measure(measuring.withLock { $0.stop() }) }
        let move: @Sendable (LifecycleState) -> Void = { [store, measuring] state in
            store.apply(ConditionsUpdate(lifecycle: state))
            MainActor.assumeIsolated {
                let isMonitored = UIDevice.current.isBatteryMonitoringEnabled
                let change = measuring.withLock { $0.move(to: state, isBatteryMonitored: isMonitored) }
                Self.measure(change)
                if change == .begin { publishPower() }
            }
        }
        #else
        let move: @Sendable (LifecycleState) -> Void = { [store] in store.apply(ConditionsUpdate(lifecycle: $0)) }
        #endif
        for name in AppleMapping.lifecycleNotifications {
            observe(Notification.Name(name)) { AppleMapping.lifecycle(after: name).map(move) }
        }

        // An app launched in the background receives no further lifecycle notifications.
        if application == nil {
            observe(UIApplication.didFinishLaunchingNotification) { [store] in Self.check(store, move) }
        } else {
            Self.check(store, move)
        }

        // No notification ends a warning: it applies for 30 s, then the system's own level does.
        observe(UIApplication.didReceiveMemoryWarningNotification) { [store, systemPressure, queue] in
            store.apply(ConditionsUpdate(memory: max(.warning, systemPressure.withLock { $0 })))
            queue.asyncAfter(deadline: .now() + 30) {
                store.apply(ConditionsUpdate(memory: systemPressure.withLock { $0 }))
            }
        }
    }

    #if os(iOS)
    @MainActor
    private static func measure(_ change: DeviceMeasuring.Change?) {
        let device = UIDevice.current
        switch change {
        case .begin:
            device.isBatteryMonitoringEnabled = true
            // Without this the system does not measure the orientation. Calls nest with those of the app.
            device.beginGeneratingDeviceOrientationNotifications()
        case .end(let isBatteryMonitored):
            device.isBatteryMonitoringEnabled = isBatteryMonitored
            device.endGeneratingDeviceOrientationNotifications()
        case nil: break
        }
    }
    #endif

    /// Checks after a second whether an app that received no notification was launched in the background.
    private static func check(_ store: ConditionsStore, _ move: @escaping @Sendable (LifecycleState) -> Void) {
        DispatchQueue.main.asyncAfter(deadline: .now() + 1) {
            MainActor.assumeIsolated {
                guard store.current.lifecycle == .launching,
                    SharedApplication.current?.applicationState == .background
                else {
                    return
                }
                move(.background)
            }
        }
    }
    #else
    @MainActor
    private func watchDevice() { watchLowPowerMode() }
    #endif

    #if !os(iOS)
    /// The rest of the power is unknown.
    private func watchLowPowerMode() {
        let publishPower: @Sendable () -> Void = { [store] in
            let isLow = ProcessInfo.processInfo.isLowPowerModeEnabled
            store.apply(ConditionsUpdate(power: Power(isLowPowerMode: isLow)))
        }
        publishPower()
        observe(.NSProcessInfoPowerStateDidChange, publishPower)
    }
    #endif
}

/// The phone's radio technology, read through one long-lived object: a new one has no data yet.
private final class Telephony: @unchecked Sendable {  // the system's object is thread-safe
    #if os(iOS)
    private let info = CTTelephonyNetworkInfo()

    var radioTechnology: String? {
        info.dataServiceIdentifier.flatMap { info.serviceCurrentRadioAccessTechnology?[$0] }
    }
    #else
    var radioTechnology: String? { nil }
    #endif
}

#if os(iOS)
extension Power {
    /// While the battery is not measured, it is as it was.
    @MainActor
    fileprivate static func current(after last: Power) -> Power {
        var power = last
        if UIDevice.current.isBatteryMonitoringEnabled {
            power = AppleMapping.power(
                level: UIDevice.current.batteryLevel, state: UIDevice.current.batteryState.rawValue,
                isLowPowerMode: false)
        }
        power.isLowPowerMode = ProcessInfo.processInfo.isLowPowerModeEnabled
        return power
    }
}
#endif
#endif
