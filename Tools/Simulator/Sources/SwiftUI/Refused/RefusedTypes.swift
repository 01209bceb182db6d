public import Foundation

// Well-known types that the stand-in refuses. A use of one does not compile, and the message says why. They have the
// members and initializers that apps use, so that the compiler's only complaint is that message.
// Scripts/swiftui-support lists them in Docs/SwiftUIOnLinux.md.

@available(*, unavailable, message: "SwiftUI on Linux lacks Canvas. Draw with Path and the shapes.")
public struct Canvas: View {
    public typealias Body = Never

    public init(
        opaque: Bool = false, rendersAsynchronously: Bool = false,
        renderer: @escaping (inout GraphicsContext, CGSize) -> Void,
    ) {}
}

public struct GraphicsContext {
    public struct Shading: Sendable {
        public static func color(_ color: Color) -> Shading { Shading() }
        public static func style<S: ShapeStyle>(_ style: S) -> Shading { Shading() }
        public static func linearGradient(_ gradient: Gradient, startPoint: CGPoint, endPoint: CGPoint) -> Shading {
            Shading()
        }
    }

    public struct ResolvedText {}
    public struct ResolvedImage {}

    public var opacity = 1.0
    public var blendMode = BlendMode.normal
    public func fill(_ path: Path, with shading: Shading, style: FillStyle = FillStyle()) {}
    public func stroke(_ path: Path, with shading: Shading, lineWidth: CGFloat = 1) {}
    public func stroke(_ path: Path, with shading: Shading, style: StrokeStyle) {}
    public func draw(_ text: Text, at point: CGPoint, anchor: UnitPoint = .center) {}
    public func draw(_ text: Text, in rect: CGRect) {}
    public func draw(_ image: Image, at point: CGPoint, anchor: UnitPoint = .center) {}
    public func draw(_ image: Image, in rect: CGRect) {}
    public func resolve(_ text: Text) -> ResolvedText { ResolvedText() }
    public func resolve(_ image: Image) -> ResolvedImage { ResolvedImage() }
    public mutating func translateBy(x: CGFloat, y: CGFloat) {}
    public mutating func scaleBy(x: CGFloat, y: CGFloat) {}
    public mutating func rotate(by angle: Angle) {}
    public mutating func clip(to path: Path) {}
}

@available(*, unavailable, message: "SwiftUI on Linux lacks Table. Use List.")
public struct Table: View {
    public typealias Body = Never

    public init<Data: RandomAccessCollection>(
        _ data: Data, @TableColumnBuilder<Data.Element> columns: () -> [TableColumn<Data.Element>],
    ) {}

    public init<Data: RandomAccessCollection, Selection>(
        _ data: Data, selection: Binding<Selection>,
        @TableColumnBuilder<Data.Element> columns: () -> [TableColumn<Data.Element>],
    ) {}
}

@resultBuilder
public struct TableColumnBuilder<Row> {
    public static func buildExpression(_ column: TableColumn<Row>) -> TableColumn<Row> { column }
    public static func buildBlock(_ columns: TableColumn<Row>...) -> [TableColumn<Row>] { columns }
}

public struct TableColumn<Row> {
    public init(_ titleKey: LocalizedStringKey, value: KeyPath<Row, String>) {}
    public init<Content: View>(_ titleKey: LocalizedStringKey, @ViewBuilder content: @escaping (Row) -> Content) {}
    public func width(_ width: CGFloat? = nil) -> TableColumn { self }
}

@available(*, unavailable, message: "SwiftUI on Linux lacks OutlineGroup. Use DisclosureGroup.")
public struct OutlineGroup<Content: View>: View {
    public typealias Body = Never

    public init<Element: Identifiable>(
        _ data: [Element], children: KeyPath<Element, [Element]?>, @ViewBuilder content: @escaping (Element) -> Content,
    ) {}

    public init<Element: Identifiable>(
        _ root: Element, children: KeyPath<Element, [Element]?>, @ViewBuilder content: @escaping (Element) -> Content,
    ) {}
}

@available(*, unavailable, message: "SwiftUI on Linux lacks ViewThatFits. Choose by horizontalSizeClass.")
public struct ViewThatFits<Content: View>: View {
    public typealias Body = Never

    public init(in axes: Axis.Set = [.horizontal, .vertical], @ViewBuilder content: () -> Content) {}
}

@available(*, unavailable, message: "SwiftUI on Linux lacks ControlGroup. Use HStack, or Section in a menu.")
public struct ControlGroup<Content: View>: View {
    public typealias Body = Never

    public init(@ViewBuilder content: () -> Content) {}
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {}
    public init<Label: View>(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {}
}

@available(*, unavailable, message: "SwiftUI on Linux lacks MultiDatePicker. Use DatePicker.")
public struct MultiDatePicker: View {
    public typealias Body = Never

    public init(_ titleKey: LocalizedStringKey, selection: Binding<Set<DateComponents>>) {}
    public init(_ titleKey: LocalizedStringKey, selection: Binding<Set<DateComponents>>, in bounds: Range<Date>) {}
}

@available(*, unavailable, message: "SwiftUI on Linux lacks PhotosPicker. Use images of the asset catalog.")
public struct PhotosPicker<Label: View>: View {
    public typealias Body = Never

    public init(_ titleKey: LocalizedStringKey, selection: Binding<PhotosPickerItem?>, matching: PHPickerFilter? = nil)
    where Label == Text {}
    public init(
        selection: Binding<PhotosPickerItem?>, matching: PHPickerFilter? = nil, @ViewBuilder label: () -> Label,
    ) {}
    public init(
        selection: Binding<[PhotosPickerItem]>, maxSelectionCount: Int? = nil, matching: PHPickerFilter? = nil,
        @ViewBuilder label: () -> Label,
    ) {}
}

@available(*, unavailable, message: "SwiftUI on Linux lacks ImageRenderer, and draws no images.")
public final class ImageRenderer<Content: View> {
    public var scale: CGFloat = 1
    @MainActor
    public init(content: Content) {}
}

@available(*, unavailable, message: "SwiftUI on Linux lacks MagnificationGesture: it has one finger.")
public struct MagnificationGesture: Gesture {
    public typealias Value = CGFloat

    public init(minimumScaleDelta: CGFloat = 0.01) {}
    public func _recognizer(_ actions: _GestureActions<Value>) -> _Recognizer { ._tap(1) {} }
}

@available(*, unavailable, message: "SwiftUI on Linux lacks RotationGesture: it has one finger.")
public struct RotationGesture: Gesture {
    public typealias Value = Angle

    public init(minimumAngleDelta: Angle = .degrees(1)) {}
    public func _recognizer(_ actions: _GestureActions<Value>) -> _Recognizer { ._tap(1) {} }
}

@available(*, unavailable, message: "SwiftUI on Linux lacks MagnifyGesture: it has one finger.")
public struct MagnifyGesture: Gesture {
    public struct Value: Equatable, Sendable {
        public var magnification: CGFloat { 1 }
        public var startAnchor: UnitPoint { .center }
    }

    public init(minimumScaleDelta: CGFloat = 0.01) {}
    public func _recognizer(_ actions: _GestureActions<Value>) -> _Recognizer { ._tap(1) {} }
}

@available(*, unavailable, message: "SwiftUI on Linux lacks RotateGesture: it has one finger.")
public struct RotateGesture: Gesture {
    public struct Value: Equatable, Sendable {
        public var rotation: Angle { .zero }
        public var startAnchor: UnitPoint { .center }
    }

    public init(minimumAngleDelta: Angle = .degrees(1)) {}
    public func _recognizer(_ actions: _GestureActions<Value>) -> _Recognizer { ._tap(1) {} }
}

public struct ProposedViewSize: Sendable {
    public var width: CGFloat?
    public var height: CGFloat?
    public static let zero = ProposedViewSize()
    public static let unspecified = ProposedViewSize()
    public static let infinity = ProposedViewSize()
    public init(width: CGFloat? = nil, height: CGFloat? = nil) {}
    public init(_ size: CGSize) {}
    public func replacingUnspecifiedDimensions(by size: CGSize = .zero) -> CGSize { size }
}

public struct LayoutSubview {
    public var spacing: Double { 0 }
    public var priority: Double { 0 }
    public func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize { .zero }
    public func dimensions(in proposal: ProposedViewSize) -> ViewDimensions { ViewDimensions(width: 0, height: 0) }
    public func place(at position: CGPoint, anchor: UnitPoint = .topLeading, proposal: ProposedViewSize) {}
}

public typealias LayoutSubviews = [LayoutSubview]

@available(*, unavailable, message: "SwiftUI on Linux lacks Layout. Use the stacks, the grids and GeometryReader.")
public protocol Layout {
    typealias Subviews = LayoutSubviews
    associatedtype Cache = Void
    func sizeThatFits(proposal: ProposedViewSize, subviews: Subviews, cache: inout Cache) -> CGSize
    func placeSubviews(in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews, cache: inout Cache)
}

@available(*, unavailable)
extension Layout {
    @MainActor
    public func callAsFunction<Content: View>(@ViewBuilder _ content: () -> Content) -> some View { content() }
}

@available(*, unavailable, message: "SwiftUI on Linux lacks AccessibilityFocusState. Use accessibilityLabel.")
@propertyWrapper
public struct AccessibilityFocusState<Value: Hashable> {
    public typealias Binding = _AccessibilityFocusBinding

    public init() where Value == Bool {}
    public init<T: Hashable>() where Value == T? {}

    public var wrappedValue: Value {
        get { fatalError("unavailable") }
        nonmutating set {}
    }
    public var projectedValue: Binding { Binding() }
}

public struct _AccessibilityFocusBinding {
    public init() {}
}

@available(*, unavailable, message: "SwiftUI on Linux lacks ScrollPosition. Use scrollPosition(id:).")
public struct ScrollPosition: Sendable {
    public init() {}
    public init(edge: Edge) {}
    public init<ID: Hashable>(idType: ID.Type) {}
}
