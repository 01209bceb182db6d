import Foundation

/// The view to which an animation by phases is applied.
public struct PlaceholderContentView<Value>: View {
    let content: AnyView

    public var body: some View { content }
}

/// A view that goes through phases, each with an animation: again and again, or once for each change of a value.
@available(iOS 17, macOS 14, *)
public struct PhaseAnimator<Phase: Equatable, Content: View>: View {
    private let phases: [Phase]
    /// The value whose changes start it; `nil` if it goes on by itself.
    private let trigger: AnyEquatable?
    private let content: (Phase) -> Content
    private let animation: (Phase) -> Animation?
    @State private var place = 0
    @State private var starts = 0

    public init<Phases: Sequence>(
        _ phases: Phases, @ViewBuilder content: @escaping (Phase) -> Content,
        animation: @escaping (Phase) -> Animation? = { _ in .default },
    ) where Phases.Element == Phase {
        self.init(Array(phases), nil, content, animation)
    }

    /// Goes through the phases once for each change of `trigger`, and ends at the first.
    public init<Phases: Sequence>(
        _ phases: Phases, trigger: some Equatable, @ViewBuilder content: @escaping (Phase) -> Content,
        animation: @escaping (Phase) -> Animation? = { _ in .default },
    ) where Phases.Element == Phase {
        self.init(Array(phases), AnyEquatable(trigger), content, animation)
    }

    private init(
        _ phases: [Phase], _ trigger: AnyEquatable?, _ content: @escaping (Phase) -> Content,
        _ animation: @escaping (Phase) -> Animation?,
    ) {
        self.phases = phases
        self.trigger = trigger
        self.content = content
        self.animation = animation
    }

    public var body: some View {
        if let phase = phases.indices.contains(place) ? phases[place] : phases.first {
            content(phase)
                .onChange(of: trigger) { starts += 1 }
                .task(id: starts) { await run() }
        }
    }

    private func run() async {
        guard phases.count > 1, trigger == nil || starts > 0 else { return }
        repeat {
            for next in Array(phases.indices.dropFirst()) + [0] {
                let animation = animation(phases[next])
                withAnimation(animation) { place = next }
                try? await Task.sleep(for: .seconds(max(animation?.logicalDuration ?? 0, 1 / 60)))
                if Task.isCancelled { return }
            }
        } while trigger == nil
    }
}

/// A value that is compared with another of any type.
struct AnyEquatable: Equatable {
    private let value: Any
    private let isSame: (Any) -> Bool

    init<V: Equatable>(_ value: V) {
        self.value = value
        isSame = { $0 as? V == value }
    }

    static func == (left: AnyEquatable, right: AnyEquatable) -> Bool { left.isSame(right.value) }
}

extension Animation {
    /// The seconds after which the next phase begins: a spring still moves a little then.
    fileprivate var logicalDuration: Double {
        let length =
            switch curve {
            case .bezier(_, _, _, _, let duration): duration
            case .spring(let response, _): response
            }
        return delay + length / max(speed, 0.001) * Double(repeatCount ?? 1)
    }
}

@available(iOS 17, macOS 14, *)
extension View {
    /// Goes through phases again and again while the view is visible.
    public func phaseAnimator<Phase: Equatable>(
        _ phases: some Sequence<Phase>,
        @ViewBuilder content: @escaping (PlaceholderContentView<Self>, Phase) -> some View,
        animation: @escaping (Phase) -> Animation? = { _ in .default },
    ) -> some View {
        PhaseAnimator(
            phases, content: { content(PlaceholderContentView(content: AnyView(self)), $0) }, animation: animation)
    }

    /// Goes through phases once for each change of `trigger`, and ends at the first.
    public func phaseAnimator<Phase: Equatable>(
        _ phases: some Sequence<Phase>, trigger: some Equatable,
        @ViewBuilder content: @escaping (PlaceholderContentView<Self>, Phase) -> some View,
        animation: @escaping (Phase) -> Animation? = { _ in .default },
    ) -> some View {
        PhaseAnimator(
            phases, trigger: trigger, content: { content(PlaceholderContentView(content: AnyView(self)), $0) },
            animation: animation)
    }
}
