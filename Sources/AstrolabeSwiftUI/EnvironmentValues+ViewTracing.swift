public import Astrolabe
public import SwiftUI

extension EnvironmentValues {
    private enum ViewTracerKey: EnvironmentKey {
        static var defaultValue: ViewTracer { Telemetry.shared.views }
    }

    private enum ScreenDepthKey: EnvironmentKey {
        static let defaultValue = 0
    }

    /// What traced views below record with. Default the shared telemetry's.
    ///
    ///     ContentView().environment(\.viewTracer, telemetry.views)
    public var viewTracer: ViewTracer {
        get { self[ViewTracerKey.self] }
        set { self[ViewTracerKey.self] = newValue }
    }

    /// How many traced screens the view lies within.
    var screenDepth: Int {
        get { self[ScreenDepthKey.self] }
        set { self[ScreenDepthKey.self] = newValue }
    }
}
