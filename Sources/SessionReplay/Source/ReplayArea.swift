public import Astrolabe
public import Foundation

/// An area of a screen that an app draws by itself, such as a game's: a text or a picture.
///
///     ReplayArea(id: 3, frame: scoreFrame, text: "1,200 points", name: "score")
public struct ReplayArea: Sendable {
    let node: Wireframe.Node

    /// Creates a text, or without one a picture, which is recorded as a box.
    ///
    /// - Parameters:
    ///   - id: Identifies the area in each frame; unique on the screen, and not 0, which is the screen itself.
    ///   - frame: The rectangle on the screen in points.
    ///   - text: The visible text. It is masked unless ``ReplayConfiguration`` says otherwise.
    ///   - name: The identifier by which ``ReplayConfiguration`` unmasks a text.
    ///   - isPrivate: True for a text that is masked whatever the configuration says.
    public init(id: Int, frame: CGRect, text: String? = nil, name: String? = nil, isPrivate: Bool = false) {
        var node = Wireframe.Node(id: id, role: text == nil ? .image : .text, text: text, name: name)
        node.isPrivate = isPrivate
        node.layout.box = Wireframe.Box(
            x: Double(frame.origin.x), y: Double(frame.origin.y), width: Double(frame.size.width),
            height: Double(frame.size.height))
        self.node = node
    }
}

extension Telemetry {
    /// Records a screen that the app draws by itself, in the place of the views of UIKit.
    ///
    ///     telemetry.attachReplay(of: board.size) { board.pieces.map { ReplayArea(id: $0.id, frame: $0.frame) } }
    ///
    /// The closure is called at most at the policy's frame rate, and only while a replay is recorded. It is kept until
    /// another is attached.
    ///
    /// - Parameters:
    ///   - size: The size of the screen in points.
    ///   - areas: What the screen shows now, from back to front.
    @MainActor
    public func attachReplay(of size: CGSize, areas: @escaping @MainActor () -> [ReplayArea]) {
        replay.attach(DrawnSource(size: size, areas: areas))
    }
}

/// Reads a screen that the app draws by itself.
@MainActor
private final class DrawnSource: ReplaySource {
    private let size: CGSize
    private let areas: @MainActor () -> [ReplayArea]

    init(size: CGSize, areas: @escaping @MainActor () -> [ReplayArea]) {
        self.size = size
        self.areas = areas
    }

    /// Unknown, so frames are compared.
    var revision: Int? { nil }

    func wireframe() -> Wireframe? {
        let root = Wireframe.Node(id: 0, role: .screen, children: areas().map(\.node))
        return Wireframe(width: Self.points(size.width), height: Self.points(size.height), root: root)
    }

    private static func points(_ length: CGFloat) -> Int {
        length.isFinite ? Int(min(max(Double(length), 1), 100_000)) : 1
    }
}
