/// The label of the return key.
public struct SubmitLabel: Hashable, Sendable {
    let name: String

    public static let done = SubmitLabel(name: "done")
    public static let go = SubmitLabel(name: "go")
    public static let next = SubmitLabel(name: "next")
    public static let `return` = SubmitLabel(name: "return")
    public static let search = SubmitLabel(name: "search")
    public static let send = SubmitLabel(name: "send")
}

/// The letters that are capitalized automatically.
public struct TextInputAutocapitalization: Hashable, Sendable {
    let name: String

    public static var never: TextInputAutocapitalization { .init(name: "none") }
    public static var words: TextInputAutocapitalization { .init(name: "words") }
    public static var sentences: TextInputAutocapitalization { .init(name: "sentences") }
    public static var characters: TextInputAutocapitalization { .init(name: "characters") }
}

/// The style of a field.
public protocol TextFieldStyle {
    var _isRounded: Bool { get }
}

public struct RoundedBorderTextFieldStyle: TextFieldStyle {
    public init() {}
    public var _isRounded: Bool { true }
}

public struct PlainTextFieldStyle: TextFieldStyle {
    public init() {}
    public var _isRounded: Bool { false }
}

extension TextFieldStyle where Self == RoundedBorderTextFieldStyle {
    public static var roundedBorder: RoundedBorderTextFieldStyle { RoundedBorderTextFieldStyle() }
}

extension TextFieldStyle where Self == PlainTextFieldStyle {
    public static var plain: PlainTextFieldStyle { PlainTextFieldStyle() }
}

/// The actions of the return key, the innermost first.
struct SubmitActions {
    var actions: [@MainActor () -> Void] = []
}

extension EnvironmentValues {
    private enum RoundedKey: EnvironmentKey {
        static let defaultValue = false
    }

    private enum SubmitLabelKey: EnvironmentKey {
        static let defaultValue: String? = nil
    }

    private enum SubmitKey: EnvironmentKey {
        static let defaultValue = SubmitActionsBox()
    }

    private struct SubmitActionsBox: Sendable {
        // The actions run only on the main actor.
        nonisolated(unsafe) var value = SubmitActions()  // set while views are evaluated, which is on the main actor
    }

    private enum SearchSubmitKey: EnvironmentKey {
        static var defaultValue: SubmitActions { SubmitActions() }
    }

    private enum AutocorrectionKey: EnvironmentKey {
        static let defaultValue = false
    }

    private enum CapitalizationKey: EnvironmentKey {
        static let defaultValue: String? = nil
    }

    var hasRoundedFields: Bool {
        get { self[RoundedKey.self] }
        set { self[RoundedKey.self] = newValue }
    }

    var submitLabelName: String? {
        get { self[SubmitLabelKey.self] }
        set { self[SubmitLabelKey.self] = newValue }
    }

    var submitActions: SubmitActions {
        get { self[SubmitKey.self].value }
        set { self[SubmitKey.self] = SubmitActionsBox(value: newValue) }
    }

    /// The actions of the return key in a search field.
    var searchSubmitActions: SubmitActions {
        get { self[SearchSubmitKey.self] }
        set { self[SearchSubmitKey.self] = newValue }
    }

    var disablesAutocorrection: Bool {
        get { self[AutocorrectionKey.self] }
        set { self[AutocorrectionKey.self] = newValue }
    }

    var capitalization: String? {
        get { self[CapitalizationKey.self] }
        set { self[CapitalizationKey.self] = newValue }
    }

    private enum KeyboardKey: EnvironmentKey {
        static let defaultValue: String? = nil
    }

    /// The keyboard as a page names it, such as "decimal".
    var keyboard: String? {
        get { self[KeyboardKey.self] }
        set { self[KeyboardKey.self] = newValue }
    }

    var inputAlignment: TextAlignment { multilineTextAlignment }
}

extension View {
    public func textFieldStyle<S: TextFieldStyle>(_ style: S) -> some View {
        environment(\.hasRoundedFields, style._isRounded)
    }

    public func submitLabel(_ submitLabel: SubmitLabel) -> some View {
        environment(\.submitLabelName, submitLabel.name)
    }

    public func onSubmit(
        of triggers: SubmitTriggers = .text, _ action: @escaping @MainActor () -> Void,
    ) -> some View {
        modifier(
            EnvironmentModifier { values in
                if triggers.contains(.text) { values.submitActions.actions.append(action) }
                if triggers.contains(.search) { values.searchSubmitActions.actions.append(action) }
            }
        )
    }

    public func keyboardType(_ type: UIKeyboardType) -> some View { environment(\.keyboard, type.page) }

    /// The kind of text, for the system's suggestions. The phone suggests nothing.
    public func textContentType(_ textContentType: UITextContentType?) -> some View { self }

    public func disableAutocorrection(_ disable: Bool?) -> some View { autocorrectionDisabled(disable ?? false) }
    public func autocapitalization(_ style: UITextAutocapitalizationType) -> some View {
        environment(\.capitalization, style.page)
    }

    public func autocorrectionDisabled(_ disable: Bool = true) -> some View {
        environment(\.disablesAutocorrection, disable)
    }

    public func textInputAutocapitalization(_ autocapitalization: TextInputAutocapitalization?) -> some View {
        environment(\.capitalization, autocapitalization?.name)
    }
}

/// The keyboard of a field.
public enum UIKeyboardType: Int, Sendable {
    case `default`
    case asciiCapable
    case numbersAndPunctuation
    /// The name is UIKit's. Without backticks, the rule for names would refuse it.
    case `URL`
    case numberPad
    case phonePad
    case namePhonePad
    case emailAddress
    case decimalPad
    case twitter
    case webSearch
    case asciiCapableNumberPad

    fileprivate var page: String? {
        switch self {
        case .numberPad, .asciiCapableNumberPad: "numeric"
        case .phonePad: "tel"
        case .emailAddress: "email"
        case .decimalPad: "decimal"
        case .webSearch: "search"
        case .URL: "url"
        case .default, .asciiCapable, .numbersAndPunctuation, .namePhonePad, .twitter: nil
        }
    }
}

/// The letters that are capitalized automatically, in the form before iOS 15.
public enum UITextAutocapitalizationType: Int, Sendable {
    case none
    case words
    case sentences
    case allCharacters

    fileprivate var page: String {
        switch self {
        case .none: "none"
        case .words: "words"
        case .sentences: "sentences"
        case .allCharacters: "characters"
        }
    }
}

/// The kind of text that a field expects.
public struct UITextContentType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let name = UITextContentType(rawValue: "name")
    public static let givenName = UITextContentType(rawValue: "given-name")
    public static let familyName = UITextContentType(rawValue: "family-name")
    public static let username = UITextContentType(rawValue: "username")
    public static let password = UITextContentType(rawValue: "password")
    public static let newPassword = UITextContentType(rawValue: "new-password")
    public static let emailAddress = UITextContentType(rawValue: "email")
    public static let telephoneNumber = UITextContentType(rawValue: "tel")
    /// The name is UIKit's, in backticks as that of the keyboard.
    public static let `URL` = UITextContentType(rawValue: "url")
    public static let oneTimeCode = UITextContentType(rawValue: "one-time-code")
    public static let fullStreetAddress = UITextContentType(rawValue: "street-address")
    public static let postalCode = UITextContentType(rawValue: "postal-code")
    public static let creditCardNumber = UITextContentType(rawValue: "cc-number")
}
