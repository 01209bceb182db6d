/// A part of an app's interface, described by its `body`.
///
/// As in Apple's SwiftUI a view is a value that is made anew whenever something it depends on changes; what lasts is
/// the node that the runtime keeps for its place in the hierarchy.
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
    /// Traps: a view of the stand-in itself is drawn by the runtime.
    public var body: Never { fatalError("\(Self.self) has no body") }
}
