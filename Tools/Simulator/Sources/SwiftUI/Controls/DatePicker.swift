public import Foundation
import ViewTree

/// A control for a date, a time, or both.
public struct DatePicker<Label: View>: View {
    public typealias Components = DatePickerComponents

    let selection: Binding<Date>
    let from: Date?
    let to: Date?
    let components: Components
    let label: Label
}

/// The parts of a date that a picker sets.
public struct DatePickerComponents: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    public static let hourAndMinute = DatePickerComponents(rawValue: 1)
    public static let date = DatePickerComponents(rawValue: 2)
}

extension DatePicker {
    public init(
        selection: Binding<Date>, displayedComponents: Components = [.hourAndMinute, .date],
        @ViewBuilder label: () -> Label,
    ) {
        self.init(selection: selection, from: nil, to: nil, components: displayedComponents, label: label())
    }

    public init(
        selection: Binding<Date>, in range: ClosedRange<Date>,
        displayedComponents: Components = [.hourAndMinute, .date], @ViewBuilder label: () -> Label,
    ) {
        self.init(
            selection: selection, from: range.lowerBound, to: range.upperBound, components: displayedComponents,
            label: label())
    }
}

extension DatePicker {
    public init(
        selection: Binding<Date>, in range: PartialRangeFrom<Date>,
        displayedComponents: Components = [.hourAndMinute, .date], @ViewBuilder label: () -> Label,
    ) {
        self.init(
            selection: selection, from: range.lowerBound, to: nil, components: displayedComponents, label: label())
    }

    public init(
        selection: Binding<Date>, in range: PartialRangeThrough<Date>,
        displayedComponents: Components = [.hourAndMinute, .date], @ViewBuilder label: () -> Label,
    ) {
        self.init(
            selection: selection, from: nil, to: range.upperBound, components: displayedComponents, label: label())
    }
}

extension DatePicker where Label == Text {
    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<Date>,
        displayedComponents: Components = [.hourAndMinute, .date],
    ) {
        self.init(
            selection: selection, from: nil, to: nil, components: displayedComponents, label: Text(titleKey))
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, selection: Binding<Date>, displayedComponents: Components = [.hourAndMinute, .date],
    ) {
        self.init(selection: selection, from: nil, to: nil, components: displayedComponents, label: Text(title))
    }

    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<Date>, in range: ClosedRange<Date>,
        displayedComponents: Components = [.hourAndMinute, .date],
    ) {
        self.init(
            selection: selection, from: range.lowerBound, to: range.upperBound, components: displayedComponents,
            label: Text(titleKey))
    }

    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<Date>, in range: PartialRangeFrom<Date>,
        displayedComponents: Components = [.hourAndMinute, .date],
    ) {
        self.init(
            selection: selection, from: range.lowerBound, to: nil, components: displayedComponents,
            label: Text(titleKey))
    }

    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<Date>, in range: PartialRangeThrough<Date>,
        displayedComponents: Components = [.hourAndMinute, .date],
    ) {
        self.init(
            selection: selection, from: nil, to: range.upperBound, components: displayedComponents,
            label: Text(titleKey))
    }
}

extension DatePicker: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] { [Slot(.position(0), label)] }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let picker = self
        let environment = node.environment
        let form = Self.formatter(environment, components)
        let current = selection.wrappedValue
        node.handle(.change) { value in
            guard let text = value?.string, let date = form.date(from: text) else { return false }
            picker.select(date, in: environment.calendar)
            return true
        }
        var properties: [String: NodeValue] = [
            "components": .string(components == .date ? "date" : components == .hourAndMinute ? "time" : "dateTime"),
            "date": .string(form.string(from: current)),
            // The page writes dates and a calendar in them.
            "locale": .string(environment.locale.identifier(.bcp47)),
            "firstWeekday": .number(Double(environment.calendar.firstWeekday)),
        ]
        if environment.showsCalendar { properties["style"] = "graphical" }
        if let from { properties["minimum"] = .string(form.string(from: from)) }
        if let to { properties["maximum"] = .string(form.string(from: to)) }
        return control(.datePicker, properties, [.change], children, node)
    }

    /// Sets the displayed parts of a date in the allowed range. The others stay.
    private func select(_ date: Date, in calendar: Calendar) {
        var new = date
        if components == .hourAndMinute {
            let time = calendar.dateComponents([.hour, .minute], from: date)
            new =
                calendar.date(
                    bySettingHour: time.hour ?? 0, minute: time.minute ?? 0, second: 0, of: selection.wrappedValue)
                ?? date
        } else if components == .date {
            let time = calendar.dateComponents([.hour, .minute, .second], from: selection.wrappedValue)
            new =
                calendar.date(
                    bySettingHour: time.hour ?? 0, minute: time.minute ?? 0, second: time.second ?? 0, of: date)
                ?? date
        }
        selection.wrappedValue = min(max(new, from ?? .distantPast), to ?? .distantFuture)
    }

    /// The form on the wire, such as `2026-11-25T17:30`, in the view's time zone.
    private static func formatter(_ environment: EnvironmentValues, _ components: Components) -> DateFormatter {
        let form = DateFormatter()
        form.locale = Locale(identifier: "en_US_POSIX")
        form.timeZone = environment.timeZone
        form.dateFormat =
            components == .date ? "yyyy-MM-dd" : components == .hourAndMinute ? "HH:mm" : "yyyy-MM-dd'T'HH:mm"
        return form
    }
}
