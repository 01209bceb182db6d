public import Foundation

// Effects, gestures and animations that the stand-in refuses: see `RefusedTypes.swift`.

extension View {
    @available(*, unavailable, message: "SwiftUI on Linux lacks matchedTransitionSource. Leave it out.")
    public func matchedTransitionSource<ID: Hashable>(id: ID, in namespace: Namespace.ID) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks highPriorityGesture. Use gesture.")
    public func highPriorityGesture<T: Gesture>(_ gesture: T, including mask: GestureMask = .all) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks onDrag. Use DragGesture.")
    public var onDrag: _RefusedOnDrag<Self> { _RefusedOnDrag(view: self) }

    @available(*, unavailable, message: "SwiftUI on Linux lacks onDrop. Use DragGesture.")
    public var onDrop: _RefusedOnDrop<Self> { _RefusedOnDrop(view: self) }

    @available(*, unavailable, message: "SwiftUI on Linux lacks draggable. Use DragGesture.")
    public var draggable: _RefusedDraggable<Self> { _RefusedDraggable(view: self) }

    @available(*, unavailable, message: "SwiftUI on Linux lacks dropDestination. Use DragGesture.")
    public func dropDestination<T>(
        for payloadType: T.Type = T.self, action: @escaping ([T], CGPoint) -> Bool,
        isTargeted: @escaping (Bool) -> Void = { _ in },
    ) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks mask. Use clipShape.")
    public var mask: _RefusedMask<Self> { _RefusedMask(view: self) }

    @available(*, unavailable, message: "SwiftUI on Linux lacks blendMode. Use opacity.")
    public func blendMode(_ blendMode: BlendMode) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks colorMultiply. Use a color in overlay.")
    public func colorMultiply(_ color: Color) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks colorInvert. Use colors of both schemes.")
    public func colorInvert() -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks luminanceToAlpha. Use opacity.")
    public func luminanceToAlpha() -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks brightness. Use opacity over white or black.")
    public func brightness(_ amount: Double) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks keyframeAnimator. Use withAnimation in a task.")
    public func keyframeAnimator<Value, C: View>(
        initialValue: Value, trigger: some Equatable,
        @ViewBuilder content: @escaping (PlaceholderContentView<Self>, Value) -> C,
        @KeyframesBuilder<Value> keyframes: @escaping (Value) -> [KeyframeTrack<Value>],
    ) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks fontWidth. Use fontWeight or fontDesign.")
    public func fontWidth(_ width: Font.Width?) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks flipsForRightToLeftLayoutDirection. Leave it out.")
    public func flipsForRightToLeftLayoutDirection(_ enabled: Bool) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks glassEffect. Use background with a material.")
    public func glassEffect() -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks navigationTransition. Leave it out.")
    public func navigationTransition(_ style: NavigationTransition) -> some View { self }
}
