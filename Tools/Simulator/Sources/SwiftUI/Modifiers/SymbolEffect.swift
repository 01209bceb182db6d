import ViewTree

/// A movement of a symbol.
public protocol SymbolEffect: Sendable {
    /// The name by which the page knows the movement, with its form.
    var _name: String { get }
}

/// A movement that goes on while it is active.
public protocol IndefiniteSymbolEffect {}

/// A movement that runs once for each change of a value.
public protocol DiscreteSymbolEffect {}

/// The speed of a movement of a symbol, and the number of its repetitions.
public struct SymbolEffectOptions: Hashable, Sendable {
    /// `nil` if the movement decides.
    fileprivate var count: Int?
    fileprivate var repeats: Bool?
    fileprivate var factor = 1.0

    public static let `default` = SymbolEffectOptions()
    public static let repeating = SymbolEffectOptions(repeats: true)
    public static let nonRepeating = SymbolEffectOptions(repeats: false)

    public static func `repeat`(_ count: Int?) -> SymbolEffectOptions { SymbolEffectOptions.default.repeat(count) }
    public static func speed(_ speed: Double) -> SymbolEffectOptions { SymbolEffectOptions.default.speed(speed) }

    public var repeating: SymbolEffectOptions { changed { ($0.repeats, $0.count) = (true, nil) } }
    public var nonRepeating: SymbolEffectOptions { changed { ($0.repeats, $0.count) = (false, nil) } }
    public func `repeat`(_ count: Int?) -> SymbolEffectOptions { changed { $0.count = count } }
    public func speed(_ speed: Double) -> SymbolEffectOptions { changed { $0.factor = max(speed, 0.01) } }

    private func changed(_ change: (inout SymbolEffectOptions) -> Void) -> SymbolEffectOptions {
        var copy = self
        change(&copy)
        return copy
    }

    /// The number of runs; 0 if they do not end.
    fileprivate func runs(isDiscrete: Bool) -> Int {
        if let count { return max(count, 1) }
        return repeats ?? !isDiscrete ? 0 : 1
    }
}

/// A short movement up or down.
public struct BounceSymbolEffect: SymbolEffect, DiscreteSymbolEffect {
    public var _name: String
    public var up: BounceSymbolEffect { BounceSymbolEffect(_name: "bounce up") }
    public var down: BounceSymbolEffect { BounceSymbolEffect(_name: "bounce down") }
    public var byLayer: BounceSymbolEffect { self }
    public var wholeSymbol: BounceSymbolEffect { self }
}

/// A change of the opacity.
public struct PulseSymbolEffect: SymbolEffect, IndefiniteSymbolEffect, DiscreteSymbolEffect {
    public var _name: String { "pulse" }
    public var byLayer: PulseSymbolEffect { self }
    public var wholeSymbol: PulseSymbolEffect { self }
}

/// A change of the opacity that goes through the parts of the symbol.
///
/// Partly: Layers at rest are dim by default, so that `dimInactiveLayers` changes nothing.
public struct VariableColorSymbolEffect: SymbolEffect, IndefiniteSymbolEffect, DiscreteSymbolEffect {
    public var _name: String
    public var iterative: VariableColorSymbolEffect { adding("iterative") }
    public var cumulative: VariableColorSymbolEffect { adding("cumulative") }
    public var reversing: VariableColorSymbolEffect { adding("reversing") }
    public var nonReversing: VariableColorSymbolEffect { self }
    public var dimInactiveLayers: VariableColorSymbolEffect { self }
    public var hideInactiveLayers: VariableColorSymbolEffect { adding("hiding") }

    private func adding(_ word: String) -> VariableColorSymbolEffect {
        VariableColorSymbolEffect(_name: "\(_name) \(word)")
    }
}

/// A larger or a smaller size.
public struct ScaleSymbolEffect: SymbolEffect, IndefiniteSymbolEffect {
    public var _name: String
    public var up: ScaleSymbolEffect { ScaleSymbolEffect(_name: "scale up") }
    public var down: ScaleSymbolEffect { ScaleSymbolEffect(_name: "scale down") }
    public var byLayer: ScaleSymbolEffect { self }
    public var wholeSymbol: ScaleSymbolEffect { self }
}

/// The way out of sight.
///
/// Partly: The same movement for `up` and `down`.
public struct DisappearSymbolEffect: SymbolEffect, IndefiniteSymbolEffect {
    public var _name: String { "disappear" }
    public var up: DisappearSymbolEffect { self }
    public var down: DisappearSymbolEffect { self }
    public var byLayer: DisappearSymbolEffect { self }
    public var wholeSymbol: DisappearSymbolEffect { self }
}

/// A movement back and forth.
@available(iOS 18, macOS 15, *)
public struct WiggleSymbolEffect: SymbolEffect, IndefiniteSymbolEffect, DiscreteSymbolEffect {
    public var _name: String { "wiggle" }
    public var byLayer: WiggleSymbolEffect { self }
    public var wholeSymbol: WiggleSymbolEffect { self }
}

/// A turn around the center.
@available(iOS 18, macOS 15, *)
public struct RotateSymbolEffect: SymbolEffect, IndefiniteSymbolEffect, DiscreteSymbolEffect {
    public var _name: String
    public var clockwise: RotateSymbolEffect { RotateSymbolEffect(_name: "rotate") }
    public var counterClockwise: RotateSymbolEffect { RotateSymbolEffect(_name: "rotate back") }
    public var byLayer: RotateSymbolEffect { self }
    public var wholeSymbol: RotateSymbolEffect { self }
}

/// A slow change of the size and the opacity.
@available(iOS 18, macOS 15, *)
public struct BreatheSymbolEffect: SymbolEffect, IndefiniteSymbolEffect, DiscreteSymbolEffect {
    public var _name: String { "breathe" }
    public var byLayer: BreatheSymbolEffect { self }
    public var wholeSymbol: BreatheSymbolEffect { self }
}

/// The way from one symbol to another, as a content transition.
///
/// Partly: The same movement for all directions.
public struct ReplaceSymbolEffect: SymbolEffect {
    public var _name: String { "replace" }
    public var downUp: ReplaceSymbolEffect { self }
    public var upUp: ReplaceSymbolEffect { self }
    public var offUp: ReplaceSymbolEffect { self }
    public var byLayer: ReplaceSymbolEffect { self }
    public var wholeSymbol: ReplaceSymbolEffect { self }
}

extension SymbolEffect where Self == BounceSymbolEffect {
    public static var bounce: BounceSymbolEffect { BounceSymbolEffect(_name: "bounce up") }
}

extension SymbolEffect where Self == PulseSymbolEffect {
    public static var pulse: PulseSymbolEffect { PulseSymbolEffect() }
}

extension SymbolEffect where Self == VariableColorSymbolEffect {
    public static var variableColor: VariableColorSymbolEffect { VariableColorSymbolEffect(_name: "variableColor") }
}

extension SymbolEffect where Self == ScaleSymbolEffect {
    public static var scale: ScaleSymbolEffect { ScaleSymbolEffect(_name: "scale up") }
}

extension SymbolEffect where Self == DisappearSymbolEffect {
    public static var disappear: DisappearSymbolEffect { DisappearSymbolEffect() }
}

@available(iOS 18, macOS 15, *)
extension SymbolEffect where Self == WiggleSymbolEffect {
    public static var wiggle: WiggleSymbolEffect { WiggleSymbolEffect() }
}

@available(iOS 18, macOS 15, *)
extension SymbolEffect where Self == RotateSymbolEffect {
    public static var rotate: RotateSymbolEffect { RotateSymbolEffect(_name: "rotate") }
}

@available(iOS 18, macOS 15, *)
extension SymbolEffect where Self == BreatheSymbolEffect {
    public static var breathe: BreatheSymbolEffect { BreatheSymbolEffect() }
}

extension SymbolEffect where Self == ReplaceSymbolEffect {
    public static var replace: ReplaceSymbolEffect { ReplaceSymbolEffect() }
}

extension EnvironmentValues {
    private enum SymbolEffectsKey: EnvironmentKey {
        static let defaultValue: [NodeValue] = []
    }

    /// The movements of symbols here. Each is a list of the name, the number of runs (0 if they do not end) and the
    /// speed. One that a value starts also has the number of changes of the value.
    var symbolEffects: [NodeValue] {
        get { self[SymbolEffectsKey.self] }
        set { self[SymbolEffectsKey.self] = newValue }
    }
}

/// Starts a movement for each change of a value.
private struct ChangeEffectModifier<V: Equatable>: PrimitiveModifier {
    typealias Body = Never
    let effect: NodeValue
    let runs: Int
    let speed: Double
    let value: V

    private final class Changes {
        var value: V
        var count = 0

        init(_ value: V) {
            self.value = value
        }
    }

    func slots(content: any View, in node: ViewNode) -> [Slot] {
        let changes = node.storage as? Changes ?? Changes(value)
        node.storage = changes
        if changes.value != value { changes.count += 1 }
        changes.value = value
        let described: NodeValue = [effect, .number(Double(runs)), .number(speed), .number(Double(changes.count))]
        return [Slot(.position(0), content) { $0.symbolEffects.append(described) }]
    }
}

extension View {
    /// Moves the symbols here while `isActive` is true.
    ///
    /// Partly: Whole symbols move, also with `byLayer`. A variable color alone goes through the layers.
    @available(iOS 17, macOS 14, *)
    public func symbolEffect<T: IndefiniteSymbolEffect & SymbolEffect>(
        _ effect: T, options: SymbolEffectOptions = .default, isActive: Bool = true,
    ) -> some View {
        let described: NodeValue = [
            .string(effect._name), .number(Double(options.runs(isDiscrete: false))), .number(options.factor),
        ]
        return modifier(EnvironmentModifier { if isActive { $0.symbolEffects.append(described) } })
    }

    /// Moves the symbols here for each change of `value`.
    ///
    /// Partly: Whole symbols move, also with `byLayer`. A variable color alone goes through the layers.
    @available(iOS 17, macOS 14, *)
    public func symbolEffect<T: DiscreteSymbolEffect & SymbolEffect, U: Equatable>(
        _ effect: T, options: SymbolEffectOptions = .default, value: U,
    ) -> some View {
        modifier(
            ChangeEffectModifier(
                effect: .string(effect._name), runs: options.runs(isDiscrete: true), speed: options.factor,
                value: value))
    }

    /// Removes the movements that the views around set.
    @available(iOS 17, macOS 14, *)
    public func symbolEffectsRemoved(_ isEnabled: Bool = true) -> some View {
        modifier(EnvironmentModifier { if isEnabled { $0.symbolEffects = [] } })
    }
}
