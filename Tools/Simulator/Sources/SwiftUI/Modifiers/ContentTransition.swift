/// The way in which a text or a symbol gives way to the next one in an animated change.
public struct ContentTransition: Hashable, Sendable {
    private enum Kind: String, Hashable, Sendable {
        case identity
        case opacity
        case interpolate
        case symbolEffect
        case numericUp
        case numericDown
        case numericValue
    }

    private let kind: Kind
    /// The value of which the text has the digits, if the app tells it.
    private(set) var value: Double?

    /// Shows the next content at once.
    public static let identity = ContentTransition(kind: .identity)
    public static let opacity = ContentTransition(kind: .opacity)
    /// Goes over the colors and positions between. The page fades instead.
    public static let interpolate = ContentTransition(kind: .interpolate)
    @available(iOS 17, macOS 14, *)
    public static let symbolEffect = ContentTransition(kind: .symbolEffect)

    @available(iOS 17, macOS 14, *)
    public static func symbolEffect<T: SymbolEffect>(
        _ effect: T, options: SymbolEffectOptions = .default,
    ) -> ContentTransition {
        .symbolEffect
    }

    /// Moves the digits up, or down for a value that counts down.
    public static func numericText(countsDown: Bool = false) -> ContentTransition {
        ContentTransition(kind: countsDown ? .numericDown : .numericUp)
    }

    /// Moves the digits up when the value grows, and down when it falls.
    @available(iOS 17, macOS 14, *)
    public static func numericText(value: Double) -> ContentTransition {
        ContentTransition(kind: .numericValue, value: value)
    }

    /// The name by which the page moves a text; `nil` if the next one is shown at once.
    var name: String? {
        switch kind {
        case .identity, .symbolEffect: nil
        case .interpolate: Kind.opacity.rawValue
        case .opacity, .numericUp, .numericDown, .numericValue: kind.rawValue
        }
    }
}

extension EnvironmentValues {
    private enum ContentTransitionKey: EnvironmentKey {
        static let defaultValue = ContentTransition.identity
    }

    public var contentTransition: ContentTransition {
        get { self[ContentTransitionKey.self] }
        set { self[ContentTransitionKey.self] = newValue }
    }
}

extension View {
    /// Sets how texts and symbols here give way to the next ones.
    ///
    /// Partly: The whole text moves, not each digit. The options of a symbol effect change nothing.
    public func contentTransition(_ transition: ContentTransition) -> some View {
        environment(\.contentTransition, transition)
    }
}
