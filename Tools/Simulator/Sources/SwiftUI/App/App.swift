import AppHost

/// An app: its scenes and its entry point.
@MainActor
@preconcurrency
public protocol App {
    associatedtype Body: Scene

    @SceneBuilder
    @MainActor
    @preconcurrency
    var body: Body { get }

    @MainActor
    @preconcurrency
    init()
}

extension App {
    /// Runs the app on the simulated phone that started the process, until the process ends.
    ///
    /// Without a phone it prints what to run, and exits with status 1.
    public static func main() {
        HostedApp.run { settings, lifecycle in try AppScreen(Self.self, settings, lifecycle) }
    }
}

/// A part of an app's interface with its own lifecycle.
@MainActor
@preconcurrency
public protocol Scene {
    associatedtype Body: Scene

    @SceneBuilder
    @MainActor
    @preconcurrency
    var body: Body { get }
}

extension Never: Scene {}

extension Scene where Body == Never {
    public var body: Never { fatalError("\(Self.self) has no body") }
}

/// Builds an app's scene. The stand-in shows one scene.
@MainActor
@resultBuilder
public struct SceneBuilder {
    public static func buildExpression<Content: Scene>(_ content: Content) -> Content { content }
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

/// A window. A phone has one.
public struct WindowGroup<Content: View>: Scene {
    public typealias Body = Never
    let content: Content

    public init(@ViewBuilder content: () -> Content) {
        self.content = content()
    }
}

extension WindowGroup: RootScene {
    var root: any View { content }
}

/// A scene with a view.
@MainActor
protocol RootScene {
    var root: any View { get }
}
