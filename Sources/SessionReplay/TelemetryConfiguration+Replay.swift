public import Astrolabe
package import AstrolabeTelemetryModel

extension TelemetryConfiguration {
    /// The recording of the screen as wireframes. Default: it is not. A server, which has no sessions, has nothing to
    /// show whatever this says.
    ///
    ///     configuration.replay.isEnabled = true
    ///
    /// An app that leaves the decision to `ASTROLABE_REPLAY` or a file calls ``addReplay()`` instead.
    public var replay: ReplayConfiguration {
        get { replaySettings }
        set {
            replaySettings = newValue
            addReplay()
        }
    }

    /// Lets `ASTROLABE_REPLAY` or a file turn the replay on. An app that sets ``replay`` need not call it.
    ///
    ///     let configuration = try TelemetryConfiguration.load { $0.addReplay() }
    public mutating func addReplay() {
        screenRecorder = ReplayRecorder.factory
    }
}

extension ReplayRecorder: ScreenRecorder {
    /// Makes a recorder. On systems with UIKit it reads the screen by itself.
    package static let factory = ScreenRecorderFactory { core, settings, processor in
        let recorder = ReplayRecorder(core: core, configuration: settings, countedBy: processor)
        #if canImport(UIKit) && !os(watchOS) && !os(tvOS)
        recorder.attachScreen()
        #endif
        return recorder
    }

    package var scope: InstrumentationScope { Self.scope }
}

extension Telemetry {
    /// The recorder of the replay; one that records nothing if the configuration does not ask for it.
    package var replay: ReplayRecorder { screenRecorder as? ReplayRecorder ?? .disabled }
}
