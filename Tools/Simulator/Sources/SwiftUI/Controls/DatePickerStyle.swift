/// The style of a date picker.
@MainActor
@preconcurrency
public protocol DatePickerStyle {
    var _isGraphical: Bool { get }
}

/// The system's date picker: the value, which opens a calendar or wheels.
public struct CompactDatePickerStyle: DatePickerStyle {
    nonisolated public init() {}
    public var _isGraphical: Bool { false }
}

/// A calendar in its place, above the time.
public struct GraphicalDatePickerStyle: DatePickerStyle {
    nonisolated public init() {}
    public var _isGraphical: Bool { true }
}

extension DatePickerStyle where Self == CompactDatePickerStyle {
    public static var compact: CompactDatePickerStyle { CompactDatePickerStyle() }
    public static var automatic: CompactDatePickerStyle { CompactDatePickerStyle() }

    @available(*, unavailable, message: "SwiftUI on Linux lacks the wheel style of date pickers. Use compact.")
    public static var wheel: CompactDatePickerStyle { CompactDatePickerStyle() }
}

extension DatePickerStyle where Self == GraphicalDatePickerStyle {
    public static var graphical: GraphicalDatePickerStyle { GraphicalDatePickerStyle() }
}

extension EnvironmentValues {
    private enum GraphicalKey: EnvironmentKey {
        static let defaultValue = false
    }

    /// True if date pickers here show a calendar in their place.
    var showsCalendar: Bool {
        get { self[GraphicalKey.self] }
        set { self[GraphicalKey.self] = newValue }
    }
}

extension View {
    public func datePickerStyle<S: DatePickerStyle>(_ style: S) -> some View {
        environment(\.showsCalendar, style._isGraphical)
    }
}
