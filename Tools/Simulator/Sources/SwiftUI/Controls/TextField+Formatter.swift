public import Foundation

extension TextField where Label == Text {
    /// Creates a field for a value with a formatter. A text without a value leaves the last one.
    public init<V>(_ titleKey: LocalizedStringKey, value: Binding<V>, formatter: Formatter) {
        self.init(text: .constant(""), label: Text(titleKey), prompt: nil, value: FieldValue(value, formatter))
    }

    @_disfavoredOverload
    public init<S: StringProtocol, V>(_ title: S, value: Binding<V>, formatter: Formatter) {
        self.init(text: .constant(""), label: Text(title), prompt: nil, value: FieldValue(value, formatter))
    }
}

extension FieldValue {
    /// Foundation on Linux parses by the methods of its own formatters alone.
    fileprivate init<V>(_ value: Binding<V>, _ formatter: Formatter) {
        self.init(text: { formatter.string(for: value.wrappedValue) ?? "" }) { text in
            let parsed: Any? =
                switch formatter {
                case let numbers as NumberFormatter: numbers.number(from: text)
                case let dates as DateFormatter: dates.date(from: text)
                default: nil
                }
            if let new = parsed as? V ?? (parsed as? NSNumber).flatMap(Self.number) { value.wrappedValue = new }
        }
    }

    private static func number<V>(_ number: NSNumber) -> V? {
        switch V.self {
        case is Int.Type, is Int?.Type: Int(exactly: number.doubleValue) as? V
        case is Double.Type, is Double?.Type: number.doubleValue as? V
        case is Float.Type, is Float?.Type: number.floatValue as? V
        case is Decimal.Type, is Decimal?.Type: number.decimalValue as? V
        default: nil
        }
    }
}
