public import Foundation

// The types of the arguments of refused names, with the members that apps write. They exist for the message alone: with
// another type of argument the compiler would report the argument, not the name.

public enum BlendMode: Hashable, Sendable {
    case normal, multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, softLight, hardLight, difference
    case exclusion, hue, saturation, color, luminosity, sourceAtop, destinationOver, destinationOut, plusDarker
    case plusLighter
}

public struct Anchor<Value: Sendable>: Sendable {
    public struct Source: Sendable {}
}

extension Anchor.Source where Value == CGRect {
    public static var bounds: Anchor<CGRect>.Source { Anchor<CGRect>.Source() }
}

extension Anchor.Source where Value == CGPoint {
    public static var center: Anchor<CGPoint>.Source { Anchor<CGPoint>.Source() }
    public static var top: Anchor<CGPoint>.Source { Anchor<CGPoint>.Source() }
    public static var bottom: Anchor<CGPoint>.Source { Anchor<CGPoint>.Source() }
    public static var leading: Anchor<CGPoint>.Source { Anchor<CGPoint>.Source() }
    public static var trailing: Anchor<CGPoint>.Source { Anchor<CGPoint>.Source() }
}

public struct DropInfo {
    public var location: CGPoint { .zero }
}

@MainActor
@preconcurrency
public protocol DropDelegate {
    func performDrop(info: DropInfo) -> Bool
}

public final class NSItemProvider {
    public init() {}
    public init(object: Any) {}
}

public protocol FileDocument {}

public struct PhotosPickerItem: Hashable, Sendable {}

public struct PHPickerFilter: Sendable {
    public static let images = PHPickerFilter()
    public static let videos = PHPickerFilter()
    public static func any(of filters: [PHPickerFilter]) -> PHPickerFilter { PHPickerFilter() }
}

public struct GaugeStyle: Sendable {
    public static let accessoryCircular = GaugeStyle()
    public static let accessoryCircularCapacity = GaugeStyle()
    public static let accessoryLinear = GaugeStyle()
    public static let accessoryLinearCapacity = GaugeStyle()
}

public struct MenuStyle: Sendable {
    public static let button = MenuStyle()
    public static let borderlessButton = MenuStyle()
}

public struct ControlGroupStyle: Sendable {
    public static let automatic = ControlGroupStyle()
    public static let navigation = ControlGroupStyle()
    public static let compactMenu = ControlGroupStyle()
    public static let menu = ControlGroupStyle()
}

@resultBuilder
public struct KeyframesBuilder<Root> {
    public static func buildExpression(_ track: KeyframeTrack<Root>) -> KeyframeTrack<Root> { track }
    public static func buildBlock(_ tracks: KeyframeTrack<Root>...) -> [KeyframeTrack<Root>] { tracks }
}

public struct KeyframeTrack<Root> {
    public init<Value>(_ keyPath: WritableKeyPath<Root, Value>, @KeyframeListBuilder content: () -> [Keyframe]) {}
    public init(@KeyframeListBuilder content: () -> [Keyframe]) {}
}

@resultBuilder
public struct KeyframeListBuilder {
    public static func buildBlock(_ keyframes: Keyframe...) -> [Keyframe] { keyframes }
}

public class Keyframe {}

public final class LinearKeyframe<Value>: Keyframe {
    public init(_ to: Value, duration: TimeInterval) {}
}

public final class CubicKeyframe<Value>: Keyframe {
    public init(_ to: Value, duration: TimeInterval) {}
}

public final class SpringKeyframe<Value>: Keyframe {
    public init(_ to: Value, duration: TimeInterval? = nil) {}
}

public final class MoveKeyframe<Value>: Keyframe {
    public init(_ to: Value) {}
}

public struct NavigationTransition: Sendable {
    public static let automatic = NavigationTransition()
    public static func zoom<ID: Hashable>(sourceID: ID, in namespace: Namespace.ID) -> NavigationTransition {
        NavigationTransition()
    }
}

public struct MenuOrder: Sendable {
    public static let automatic = MenuOrder()
    public static let fixed = MenuOrder()
    public static let priority = MenuOrder()
}

extension Font {
    public struct Width: Hashable, Sendable {
        public static let compressed = Width()
        public static let condensed = Width()
        public static let standard = Width()
        public static let expanded = Width()
    }
}

public final class NSUserActivity {
    public var title: String?
    public var userInfo: [AnyHashable: Any]?
    public var webpageURL: URL?
    public var isEligibleForSearch = false
    public var isEligibleForHandoff = false
    public init(activityType: String) {}
}
