import ViewTree

/// A control for a value in a range.
public struct Slider<Label: View, ValueLabel: View>: View {
    let value: Binding<Double>
    let bounds: ClosedRange<Double>
    let step: Double?
    let label: Label
    /// The labels at both ends; `nil` if there are none.
    let ends: (minimum: ValueLabel, maximum: ValueLabel)?
    let onEditingChanged: (Bool) -> Void

    public var body: some View {
        let track = SliderTrack(
            value: value, bounds: bounds, step: step, label: label, onEditingChanged: onEditingChanged)
        if let ends {
            HStack {
                ends.minimum
                track
                ends.maximum
            }
        } else {
            track
        }
    }
}

extension Slider {
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label,
        @ViewBuilder minimumValueLabel: () -> ValueLabel, @ViewBuilder maximumValueLabel: () -> ValueLabel,
        onEditingChanged: @escaping (Bool) -> Void = { _ in },
    ) {
        self.init(value, bounds, nil, label(), (minimumValueLabel(), maximumValueLabel()), onEditingChanged)
    }

    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V, @ViewBuilder label: () -> Label,
        @ViewBuilder minimumValueLabel: () -> ValueLabel, @ViewBuilder maximumValueLabel: () -> ValueLabel,
        onEditingChanged: @escaping (Bool) -> Void = { _ in },
    ) {
        self.init(value, bounds, Double(step), label(), (minimumValueLabel(), maximumValueLabel()), onEditingChanged)
    }

    private init<V: BinaryFloatingPoint>(
        _ value: Binding<V>, _ bounds: ClosedRange<V>, _ step: Double?, _ label: Label,
        _ ends: (minimum: ValueLabel, maximum: ValueLabel)?, _ onEditingChanged: @escaping (Bool) -> Void,
    ) {
        self.init(
            value: value.asDouble, bounds: Double(bounds.lowerBound)...Double(bounds.upperBound), step: step,
            label: label, ends: ends, onEditingChanged: onEditingChanged)
    }
}

extension Slider where ValueLabel == EmptyView {
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in },
    ) {
        self.init(value, bounds, nil, label(), nil, onEditingChanged)
    }

    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in },
    ) {
        self.init(value, bounds, Double(step), label(), nil, onEditingChanged)
    }
}

extension Slider where Label == EmptyView, ValueLabel == EmptyView {
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1, onEditingChanged: @escaping (Bool) -> Void = { _ in },
    ) {
        self.init(value, bounds, nil, EmptyView(), nil, onEditingChanged)
    }

    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V, onEditingChanged: @escaping (Bool) -> Void = { _ in },
    ) {
        self.init(value, bounds, Double(step), EmptyView(), nil, onEditingChanged)
    }
}

extension Binding where Value: BinaryFloatingPoint {
    fileprivate var asDouble: Binding<Double> {
        let location = location
        return Binding<Double>(
            location: FunctionLocation(get: { Double(location.get()) }, set: { location.set(Value($0), $1) }))
    }
}

/// The control itself, without what is beside it.
private struct SliderTrack<Label: View>: View {
    let value: Binding<Double>
    let bounds: ClosedRange<Double>
    let step: Double?
    let label: Label
    let onEditingChanged: (Bool) -> Void
}

extension SliderTrack: PrimitiveView {
    typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] { [Slot(.position(0), label)] }

    /// The label is for assistive technologies and is not shown, as on a phone.
    func render(_ children: [Output], in node: ViewNode) -> Output {
        let slider = self
        let current = value.wrappedValue
        node.handle(.change) { value in
            guard let number = value?.number, number.isFinite else { return false }
            slider.set(number)
            return true
        }
        // VoiceOver moves a slider by a tenth of its range, or by a step.
        let stride = max(step ?? 0, (bounds.upperBound - bounds.lowerBound) / 10)
        node.handle(.increment) { slider.set(current + stride) }
        node.handle(.decrement) { slider.set(current - stride) }
        var properties: [String: NodeValue] = [
            "number": .number(current), "minimum": .number(bounds.lowerBound), "maximum": .number(bounds.upperBound),
        ]
        if let step { properties["step"] = .number(step) }
        let words = children.flatMap(\.nodes).flatMap(\.texts).joined(separator: " ")
        if !words.isEmpty { properties["label"] = .string(words) }
        return control(.slider, properties, [.change, .increment, .decrement], [], node)
    }

    private func set(_ number: Double) {
        var new = min(max(number, bounds.lowerBound), bounds.upperBound)
        if let step, step > 0 {
            let steps = ((new - bounds.lowerBound) / step).rounded()
            new = min(bounds.lowerBound + steps * step, bounds.upperBound)
        }
        onEditingChanged(true)
        value.wrappedValue = new
        onEditingChanged(false)
    }
}
