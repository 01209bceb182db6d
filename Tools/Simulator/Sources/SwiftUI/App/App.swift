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
    /// Runs the app without a screen until the process ends.
    public static func main() {
        let host = ViewHost(app: Self.init())
        AppRunner.run(host)
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
