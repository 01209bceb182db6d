import AstrolabeRecording
import Testing

@testable import Astrolabe

@Suite struct `The numbers of the flight recorder` {
    private func bounds(isServer: Bool, _ change: (inout RecorderConfiguration) -> Void = { _ in }) -> RecorderBounds {
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.isServer = isServer
        change(&configuration.recorder)
        return configuration.recorderBounds
    }

    @Test func `have larger defaults for a server`() {
        let (app, server) = (bounds(isServer: false), bounds(isServer: true))
        #expect(app.capacity == 4 << 20 && app.dailyBytes == 2 << 20 && app.hourlyBytes == 64 << 20)
        #expect(server.capacity == 32 << 20 && server.dailyBytes == 256 << 20 && server.hourlyBytes == 1 << 30)
        #expect(app.window == .seconds(900) && server.window == .seconds(900))
    }

    @Test(arguments: [false, true])
    func `hold as they are set, within what a machine can work with`(isServer: Bool) {
        let set = bounds(isServer: isServer) {
            $0.capacity = 8 << 20
            $0.dailyBytes = 7
            $0.hourlyBytes = 9
        }
        #expect(set.capacity == 8 << 20 && set.dailyBytes == 7 && set.hourlyBytes == 9)
        let odd = bounds(isServer: isServer) {
            $0.capacity = 1
            $0.window = .seconds(-1)
            $0.dailyBytes = -1
            $0.hourlyBytes = -1
        }
        #expect(odd.capacity == 2 << 20 && odd.window == .zero && odd.dailyBytes == 0 && odd.hourlyBytes == 0)
        #expect(bounds(isServer: isServer) { $0.capacity = .max }.capacity == 64 << 20)
    }

    @Test func `are of a recorder that is on for an app, off for a server, and as either is set`() {
        for (isServer, isEnabled, isOn) in [
            (false, nil, true), (false, false, false), (false, true, true), (true, nil, false), (true, false, false),
            (true, true, true),
        ] as [(Bool, Bool?, Bool)] {
            var configuration = TelemetryConfiguration(serviceName: "shop")
            configuration.isServer = isServer
            configuration.recorder.isEnabled = isEnabled
            #expect((configuration.recorderTriggers != nil) == isOn)
        }
    }
}
