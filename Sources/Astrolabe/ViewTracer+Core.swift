import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeSessions
import AstrolabeTelemetryModel
import AstrolabeViewTracing

extension ViewTracer {
    /// A tracer that records into `core`, names the screen there, and counts a tap as activity in the session.
    convenience init(_ mode: ViewTracingMode, core: RecordingCore, tracker: SessionTracker?) {
        let scope = InstrumentationScope(name: "astrolabe.views")
        self.init(
            mode: mode, tracer: Tracer(core: core, scope: scope), events: EventLogger(core: core, scope: scope),
            hooks: Hooks(
                now: { core.clock.now }, setScreen: { core.setScreen(name: $0, id: $1) },
                noteActivity: { tracker?.recordActivity() },
            ),
        )
    }
}
