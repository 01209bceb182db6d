/// The style of a date picker.
@MainActor
@preconcurrency
public protocol DatePickerStyle {}

/// The system's date picker: the value, which opens a calendar or wheels.
public struct CompactDatePickerStyle: DatePickerStyle {
    nonisolated public init() {}
}

extension DatePickerStyle where Self == CompactDatePickerStyle {
    public static var compact: CompactDatePickerStyle { CompactDatePickerStyle() }
    public static var automatic: CompactDatePickerStyle { CompactDatePickerStyle() }

    @available(*, unavailable, message: "SwiftUI on Linux lacks the graphical style. Use compact.")
    public static var graphical: CompactDatePickerStyle { CompactDatePickerStyle() }

    @available(*, unavailable, message: "SwiftUI on Linux lacks the wheel style of date pickers. Use compact.")
    public static var wheel: CompactDatePickerStyle { CompactDatePickerStyle() }
}

extension View {
    public func datePickerStyle<S: DatePickerStyle>(_ style: S) -> some View { self }
}
