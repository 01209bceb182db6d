public import Foundation

/// A control that opens a URL.
public struct Link<Label: View>: View {
    let destination: URL
    let label: Label
    @Environment(\.openURL) private var openURL

    public init(destination: URL, @ViewBuilder label: () -> Label) {
        self.destination = destination
        self.label = label()
    }

    public var body: some View {
        Button(action: { openURL(destination) }, label: { label }).accessibilityAddTraits(.isLink)
    }
}

extension Link where Label == Text {
    public init(_ titleKey: LocalizedStringKey, destination: URL) {
        self.init(destination: destination) { Text(titleKey) }
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, destination: URL) {
        self.init(destination: destination) { Text(title) }
    }
}

/// Opens a URL, with the handler of the views around or the system's.
///
/// The simulated phone has no browser. What the system would open is listed in `ViewHost.openedURLs`.
@MainActor
@preconcurrency
public struct OpenURLAction: Sendable {
    /// The outcome of a handler.
    public struct Result: Sendable {
        let url: URL?
        let isHandled: Bool

        public static let handled = Result(url: nil, isHandled: true)
        public static let discarded = Result(url: nil, isHandled: false)

        /// Leaves the URL, or another one, to the system.
        public static func systemAction(_ url: URL) -> Result { Result(url: url, isHandled: true) }
        public static let systemAction = Result(url: nil, isHandled: false, isLeft: true)

        let isLeft: Bool

        private init(url: URL?, isHandled: Bool, isLeft: Bool = false) {
            self.url = url
            self.isHandled = isHandled
            self.isLeft = isLeft
        }
    }

    let id: Int
    let handler: @MainActor (URL) -> Result
    let system: @MainActor (URL) -> Void

    nonisolated public init(handler: @escaping @MainActor (URL) -> Result) {
        self.init(id: 0, handler: handler, system: { _ in })
    }

    nonisolated init(
        id: Int, handler: @escaping @MainActor (URL) -> Result, system: @escaping @MainActor (URL) -> Void,
    ) {
        self.id = id
        self.handler = handler
        self.system = system
    }

    public func callAsFunction(_ url: URL) {
        let result = handler(url)
        if let other = result.url { system(other) } else if result.isLeft { system(url) }
    }

    public func callAsFunction(_ url: URL, completion: (_ accepted: Bool) -> Void) {
        let result = handler(url)
        if let other = result.url { system(other) } else if result.isLeft { system(url) }
        completion(result.isHandled || result.isLeft)
    }
}

extension EnvironmentValues {
    private enum OpenURLKey: EnvironmentKey {
        static let defaultValue = OpenURLAction { _ in .discarded }
    }

    public var openURL: OpenURLAction {
        get { self[OpenURLKey.self] }
        set {
            // The system's part stays that of the host.
            let system = self[OpenURLKey.self].system
            self[OpenURLKey.self] =
                newValue.id == 0
                ? OpenURLAction(id: 0, handler: newValue.handler, system: system) : newValue
        }
    }
}
