// Modifiers without a visible effect on an iPhone without a hardware keyboard, a pointer or a sense of touch.

/// A pattern that the phone plays for the sense of touch.
public struct SensoryFeedback: Hashable, Sendable {
    public enum Weight: Hashable, Sendable {
        case light, medium, heavy
    }

    public enum Flexibility: Hashable, Sendable {
        case rigid, solid, soft
    }

    private init() {}

    public static let start = SensoryFeedback()
    public static let stop = SensoryFeedback()
    public static let alignment = SensoryFeedback()
    public static let decrease = SensoryFeedback()
    public static let increase = SensoryFeedback()
    public static let levelChange = SensoryFeedback()
    public static let selection = SensoryFeedback()
    public static let success = SensoryFeedback()
    public static let warning = SensoryFeedback()
    public static let error = SensoryFeedback()
    public static let impact = SensoryFeedback()

    public static func impact(weight: Weight = .medium, intensity: Double = 1) -> SensoryFeedback { .impact }
    public static func impact(flexibility: Flexibility, intensity: Double = 1) -> SensoryFeedback { .impact }
}

/// A way in which scroll views bounce at their ends. The page does not show that.
public struct ScrollBounceBehavior: Hashable, Sendable {
    public static let automatic = ScrollBounceBehavior()
    public static let always = ScrollBounceBehavior()
    public static let basedOnSize = ScrollBounceBehavior()
}

/// A way in which scrolling dismisses the keyboard.
public struct ScrollDismissesKeyboardMode: Hashable, Sendable {
    public static let automatic = ScrollDismissesKeyboardMode()
    public static let immediately = ScrollDismissesKeyboardMode()
    public static let interactively = ScrollDismissesKeyboardMode()
    public static let never = ScrollDismissesKeyboardMode()
}

/// A key on a hardware keyboard.
public struct KeyEquivalent: Hashable, Sendable, ExpressibleByExtendedGraphemeClusterLiteral {
    public var character: Character

    public init(_ character: Character) {
        self.character = character
    }

    public init(extendedGraphemeClusterLiteral value: Character) {
        character = value
    }

    public static let `return` = KeyEquivalent("\r")
    public static let escape = KeyEquivalent("\u{1B}")
    public static let space = KeyEquivalent(" ")
    public static let tab = KeyEquivalent("\t")
    public static let delete = KeyEquivalent("\u{8}")
}

/// The keys that are held with another one.
public struct EventModifiers: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    public static let capsLock = EventModifiers(rawValue: 1)
    public static let shift = EventModifiers(rawValue: 2)
    public static let control = EventModifiers(rawValue: 4)
    public static let option = EventModifiers(rawValue: 8)
    public static let command = EventModifiers(rawValue: 16)
}

/// A shortcut on a hardware keyboard.
public struct KeyboardShortcut: Hashable, Sendable {
    public var key: KeyEquivalent

    public init(_ key: KeyEquivalent, modifiers: EventModifiers = .command) {
        self.key = key
    }

    public static let defaultAction = KeyboardShortcut(.return)
    public static let cancelAction = KeyboardShortcut(.escape)
}

/// An effect under a pointer.
public struct HoverEffect: Hashable, Sendable {
    public static let automatic = HoverEffect()
    public static let highlight = HoverEffect()
    public static let lift = HoverEffect()
}

/// The style of a form.
@MainActor
@preconcurrency
public protocol FormStyle {}

/// The style of forms on iOS.
public struct GroupedFormStyle: FormStyle {
    nonisolated public init() {}
}

extension FormStyle where Self == GroupedFormStyle {
    public static var automatic: GroupedFormStyle { GroupedFormStyle() }
    public static var grouped: GroupedFormStyle { GroupedFormStyle() }
}

extension View {
    /// Plays nothing: the simulated phone has no sense of touch.
    @available(iOS 17, macOS 14, *)
    public func sensoryFeedback<T: Equatable>(_ feedback: SensoryFeedback, trigger: T) -> some View { self }

    @available(iOS 17, macOS 14, *)
    public func sensoryFeedback<T: Equatable>(
        _ feedback: SensoryFeedback, trigger: T, condition: @escaping (_ oldValue: T, _ newValue: T) -> Bool,
    ) -> some View { self }

    @available(iOS 17, macOS 14, *)
    public func sensoryFeedback<T: Equatable>(
        trigger: T, _ feedback: @escaping (_ oldValue: T, _ newValue: T) -> SensoryFeedback?,
    ) -> some View { self }

    @available(iOS 16.4, macOS 13.3, *)
    public func scrollBounceBehavior(
        _ behavior: ScrollBounceBehavior, axes: Axis.Set = [.vertical],
    ) -> some View { self }

    /// Partly: The page shows no keyboard, and the field keeps the focus.
    public func scrollDismissesKeyboard(_ mode: ScrollDismissesKeyboardMode) -> some View { self }

    /// Partly: The phone has no hardware keyboard.
    public func keyboardShortcut(_ key: KeyEquivalent, modifiers: EventModifiers = .command) -> some View { self }

    public func keyboardShortcut(_ shortcut: KeyboardShortcut?) -> some View { self }

    /// Partly: The phone has no hardware keyboard.
    @available(iOS 17, macOS 14, *)
    public func focusable(_ isFocusable: Bool = true) -> some View { self }

    /// Partly: The phone has no pointer.
    public func onHover(perform action: @escaping (Bool) -> Void) -> some View { self }

    /// Partly: The phone has no pointer.
    public func hoverEffect(_ effect: HoverEffect = .automatic) -> some View { self }

    public func formStyle<S: FormStyle>(_ style: S) -> some View { self }

    /// Draws the view as one image, which looks the same.
    public func drawingGroup(opaque: Bool = false) -> some View { self }

    /// Treats the view as one image for the effects around it, as the page always does.
    public func compositingGroup() -> some View { self }
}
