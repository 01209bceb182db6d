import DeviceLink
import Foundation

/// The virtual time of a phone.
package struct PhoneTime: Hashable, Sendable {
    /// Seconds since the phone was switched on.
    package var uptime = 0.0
    /// The wall clock's seconds since 1970 when the uptime was 0, as the clock is set now.
    var wallAtStart = Date().timeIntervalSince1970
    /// The seconds that the collector takes, besides the network.
    var responseDelay = 0.0
    var bytesPerSecond: Double?
}

extension PhoneSimulator {
    /// The SDK's requests since the phone was switched on, as far as the app has reported them.
    package var requests: Int { earlierRequests + (process == nil ? 0 : status?.requests ?? 0) }

    /// Lets virtual time begin, in which waits take no real time. The app must support it: see
    /// `Docs/Internals/DeviceLink.md`. Call it before the first launch.
    package func beginVirtualTime() { time = PhoneTime() }

    /// Lets virtual time pass. Returns when the app has done all that was due, or has ended.
    ///
    /// - Throws: ``PhoneError`` if the time is real, or if the app does not follow.
    package func pass(_ seconds: Double) async throws(PhoneError) {
        guard time != nil else { throw .wrongPhase("time passes by itself; virtual time needs `time: virtual`") }
        time?.uptime += seconds
        guard app.phase != .suspended else { return }
        try await synchronize()
    }

    /// Sets the wall clock forward, or back if the seconds are negative.
    package func setWallClock(by seconds: Double) async throws(PhoneError) {
        time?.wallAtStart += seconds
        guard app.phase != .suspended else { return }
        try await synchronize()
    }

    /// Sets how long the collector takes for a response, and how many bytes of requests come through to it a second.
    package func setCollector(responseDelay: Double, bytesPerSecond: Double?) {
        time?.responseDelay = responseDelay
        time?.bytesPerSecond = bytesPerSecond
        if app.phase != .suspended { sendClock(isLeap: false) }
    }

    private func synchronize() async throws(PhoneError) {
        guard process != nil, link != nil, clockWaiter == nil else { return }
        var isLate = false
        let alarm = Task {
            try await Task.sleep(for: .seconds(60))
            isLate = true
            process?.kill(.fault("it has not followed the virtual time for 60 s"))
        }
        defer { alarm.cancel() }
        await withCheckedContinuation { waiter in
            clockWaiter = waiter
            sendClock(isLeap: false)
        }
        if isLate, let end = app.end { throw .wrongPhase(end.text) }
    }

    func sendClock(isLeap: Bool) {
        guard let time, let link else { return }
        var clock = clock(time)
        clock.isLeap = isLeap
        link.send(.clock(clock))
    }

    func clock(_ time: PhoneTime) -> DeviceClock {
        let network = settings.network.quality
        // A request opens a connection and sends its bytes: two round trips.
        let delay = network.map { 4 * ($0.delay / .seconds(1)) } ?? 0
        let bandwidths = [network.map { Double($0.bytesPerSecond) }, time.bytesPerSecond].compactMap(\.self)
        return DeviceClock(
            uptime: time.uptime, wall: time.wallAtStart + time.uptime, responseDelay: delay + time.responseDelay,
            bytesPerSecond: bandwidths.min())
    }

    /// Takes note that the app has come to this uptime.
    func settleClock(_ uptime: Double) {
        guard let time, uptime >= time.uptime else { return }
        clockWaiter?.resume()
        clockWaiter = nil
    }
}
