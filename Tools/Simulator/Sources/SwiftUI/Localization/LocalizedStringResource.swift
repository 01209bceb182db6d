public import Foundation

/// A key of the app's strings, which is looked up when it is shown.
public struct LocalizedStringResource: Hashable, Sendable, ExpressibleByStringInterpolation {
    let key: LocalizedStringKey
    /// The language in which the text is looked up.
    public var locale: Locale = Translations.main.locale

    public init(_ keyAndValue: String.LocalizationValue, comment: StaticString? = nil) {
        key = keyAndValue
    }

    public init(stringLiteral value: String) {
        key = LocalizedStringKey(value)
    }

    public init(stringInterpolation: LocalizedStringKey.StringInterpolation) {
        key = LocalizedStringKey(stringInterpolation: stringInterpolation)
    }
}

extension Text {
    @_disfavoredOverload
    nonisolated public init(_ resource: LocalizedStringResource) {
        self.init(resource.key)
    }
}

extension String {
    @_disfavoredOverload
    public init(localized resource: LocalizedStringResource) {
        self = resource.key.text(in: resource.locale)
    }
}
