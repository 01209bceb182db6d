public import Foundation
import ViewTree

/// The shape of a button with a border.
public struct ButtonBorderShape: Hashable, Sendable {
    /// The radius of the corners; `nil` for the system's.
    fileprivate let radius: Double?
    fileprivate var isCircle = false

    public static let automatic = ButtonBorderShape(radius: nil)
    public static let capsule = ButtonBorderShape(radius: 999)
    public static let roundedRectangle = ButtonBorderShape(radius: nil)

    @available(iOS 17, macOS 14, *)
    public static let circle = ButtonBorderShape(radius: 999, isCircle: true)

    public static func roundedRectangle(radius: CGFloat) -> ButtonBorderShape {
        ButtonBorderShape(radius: Double(radius))
    }
}

extension EnvironmentValues {
    private enum ButtonBorderShapeKey: EnvironmentKey {
        static let defaultValue = ButtonBorderShape.automatic
    }

    fileprivate var buttonBorderShape: ButtonBorderShape {
        get { self[ButtonBorderShapeKey.self] }
        set { self[ButtonBorderShapeKey.self] = newValue }
    }

    /// The properties of a button with a border here.
    var borderShapeProperties: [String: NodeValue] {
        guard buttonStyle.isBordered, let radius = buttonBorderShape.radius else { return [:] }
        return buttonBorderShape.isCircle ? ["radius": .number(radius), "circle": true] : ["radius": .number(radius)]
    }
}

extension View {
    /// Sets the shape of the buttons with a border here.
    public func buttonBorderShape(_ shape: ButtonBorderShape) -> some View {
        modifier(EnvironmentModifier { $0.buttonBorderShape = shape })
    }
}
