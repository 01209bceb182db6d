package import AstrolabePlatform
package import AstrolabeRecording
package import AstrolabeTelemetryModel

/// Records what people see: the session replay, a product of its own that an app need not have.
package protocol ScreenRecorder: Sendable {
    /// The scope of its events. Every mode admits them, because the policy limits their number by the frame rate.
    var scope: InstrumentationScope { get }

    /// Applies the limits of a policy decision.
    ///
    /// - Parameters:
    ///   - frameRate: Frames per second; 0 stops recording and releases the held frame.
    ///   - frameLimit: Maximum frames per minute; 0 does the same.
    func apply(frameRate: Double, frameLimit: Int)

    /// Stops recording permanently.
    func stop()
}

/// Makes the recorder of an SDK that starts. Only this value leads to the code of the replay.
package struct ScreenRecorderFactory: Sendable {
    /// Makes a recorder for a core, which counts its CPU time by the meter.
    package let make: @Sendable (RecordingCore, ReplayConfiguration, CPUTimeMeter) -> any ScreenRecorder

    package init(_ make: @escaping @Sendable (RecordingCore, ReplayConfiguration, CPUTimeMeter) -> any ScreenRecorder) {
        self.make = make
    }
}
