public import Astrolabe
public import SwiftUI

extension EnvironmentValues {
    private enum ViewTracerKey: EnvironmentKey {
        static var defaultValue: ViewTracer { Telemetry.shared.views }
    }

    /// The tracer that traced views below record with. Default the shared telemetry's.
    ///
    ///     ContentView().environment(\.viewTracer, telemetry.views)
    public var viewTracer: ViewTracer {
        get { self[ViewTracerKey.self] }
        set { self[ViewTracerKey.self] = newValue }
    }
}
