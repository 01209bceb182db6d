/// One of two views, as `if` and `switch` build it. Each branch has its own identity.
public struct _ConditionalContent<TrueContent, FalseContent> {
    enum Storage {
        case trueContent(TrueContent)
        case falseContent(FalseContent)
    }

    let storage: Storage
}

extension _ConditionalContent: View where TrueContent: View, FalseContent: View {}

extension _ConditionalContent: Primitive, PrimitiveView where TrueContent: View, FalseContent: View {
    func slots(in node: ViewNode) -> [Slot] {
        switch storage {
        case .trueContent(let content): [Slot(.branch(true), content)]
        case .falseContent(let content): [Slot(.branch(false), content)]
        }
    }

    func rendersLike(_ other: Self) -> Bool { true }
}

extension Optional: View where Wrapped: View {
    public typealias Body = Never
}

extension Optional: Primitive, PrimitiveView where Wrapped: View {
    func slots(in node: ViewNode) -> [Slot] { map { [Slot(.position(0), $0)] } ?? [] }
    func rendersLike(_ other: Self) -> Bool { true }
}

/// A view of an unknown type. A view of another type in its place has new state.
public struct AnyView: View {
    let content: any View

    public init<Content: View>(_ view: Content) {
        content = view
    }
}

extension AnyView: PrimitiveView {
    func slots(in node: ViewNode) -> [Slot] { [Slot(.position(0), content)] }
    func rendersLike(_ other: Self) -> Bool { true }
}
