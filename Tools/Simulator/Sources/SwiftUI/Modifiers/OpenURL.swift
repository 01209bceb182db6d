public import Foundation

private struct OpenURLModifier: PrimitiveModifier {
    typealias Body = Never
    let action: (URL) -> Void

    func didUpdate(_ node: ViewNode, from previous: OpenURLModifier?) {
        node.graph.handleURLs(in: node, action)
    }
}

extension View {
    /// Adds an action for a URL that the system opens in the app, such as a deep link.
    ///
    ///     ContentView().onOpenURL { url in path.append(Route(url)) }
    ///
    /// The app is in the foreground by then. Every view with an action gets the URL, also if a page covers it.
    public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View {
        modifier(OpenURLModifier(action: action))
    }
}
