import Symbolication

/// A node of a flame graph: a function, the time it was on the stack, and its callees.
struct FlameNode {
    let name: String
    let file: String
    let line: Int
    let isOwn: Bool
    private(set) var seconds = 0.0
    private(set) var children: [FlameNode] = []

    /// The maximum depth. Deeper frames are left out.
    private static let depthLimit = 200

    static func root() -> FlameNode { FlameNode(Step(name: "main thread", file: "", line: 0, isOwn: false)) }

    private struct Step: Equatable {
        let name: String
        let file: String
        let line: Int
        let isOwn: Bool
    }

    private init(_ step: Step) {
        name = step.name
        file = step.file
        line = step.line
        isOwn = step.isOwn
    }

    /// Adds a stack, innermost frame first, with the time it represents.
    mutating func add(_ frames: [ReadFrame], seconds: Double) {
        add(Self.steps(frames).prefix(Self.depthLimit), seconds: seconds)
    }

    private mutating func add(_ steps: ArraySlice<Step>, seconds: Double) {
        self.seconds += seconds
        guard let step = steps.first else { return }
        let index =
            children.firstIndex { $0.name == step.name && $0.isOwn == step.isOwn }
            ?? {
                children.append(FlameNode(step))
                return children.count - 1
            }()
        children[index].add(steps.dropFirst(), seconds: seconds)
    }

    /// Returns the steps of a stack, outermost first.
    ///
    /// Consecutive frames of one image without symbols are merged into one step.
    private static func steps(_ frames: [ReadFrame]) -> [Step] {
        var steps: [Step] = []
        for frame in frames.reversed() where !frame.frame.isGuess {
            if frame.sources.isEmpty {
                let name = frame.isApp ? frame.address : frame.frame.image?.name ?? "unknown code"
                let step = Step(name: name, file: "", line: 0, isOwn: frame.isApp)
                if steps.last != step { steps.append(step) }
            }
            for source in frame.sources.reversed() {
                steps.append(
                    Step(
                        name: source.function.isEmpty ? frame.address : source.function, file: source.file,
                        line: source.line, isOwn: frame.isOwn(source),
                    )
                )
            }
        }
        return steps
    }

    /// The children, longest time first.
    var sortedChildren: [FlameNode] { children.sorted { ($1.seconds, $0.name) < ($0.seconds, $1.name) } }
}
