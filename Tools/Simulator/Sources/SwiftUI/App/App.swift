/// What an app consists of, and where it starts.
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

/// A part of an app's interface with a life of its own.
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

/// Builds an app's scene; the stand-in shows one.
@MainActor
@resultBuilder
public struct SceneBuilder {
    public static func buildExpression<Content: Scene>(_ content: Content) -> Content { content }
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

/// A window; a phone has one.
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

/// A scene that has a view to show.
@MainActor
protocol RootScene {
    var root: any View { get }
}
