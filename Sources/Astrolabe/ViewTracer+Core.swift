import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeSessions
import AstrolabeTelemetryModel
import AstrolabeViewTracing

extension ViewTracer {
    /// A tracer that records into `core`, names the screen there, and counts a tap as activity in the session.
    convenience init(_ mode: ViewTracingMode, core: RecordingCore, tracker: @escaping @Sendable () -> SessionTracker?) {
        let scope = InstrumentationScope.ofSDK("astrolabe.views")
        self.init(
            mode: mode, tracer: Tracer(core: core, scope: scope), events: EventLogger(core: core, scope: scope),
            hooks: Hooks(
                now: { core.clock.now },
                setScreen: { name, id in
                    tracker()?.show(name ?? id)
                    core.setScreen(name: name, id: id)
                },
                noteActivity: { tracker()?.recordActivity() },
            ),
        )
    }
}
