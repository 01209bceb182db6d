/// A part of an app's interface, described by its `body`.
///
/// As in Apple's SwiftUI, a view is a value that is created again whenever a dependency changes. The node for its place
/// in the hierarchy persists.
@MainActor
@preconcurrency
public protocol View {
    associatedtype Body: View

    @ViewBuilder
    @MainActor
    @preconcurrency
    var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError("Never has no body") }
}

extension View where Body == Never {
    /// Traps, because the runtime renders the stand-in's own views.
    public var body: Never { fatalError("\(Self.self) has no body") }
}
