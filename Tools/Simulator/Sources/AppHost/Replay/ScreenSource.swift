import Astrolabe
import AstrolabeSessionReplay
import ViewTree

/// Provides the newest screen to the replay.
@MainActor
final class ScreenSource: ReplaySource {
    private var tree: RenderedTree?

    func show(_ tree: RenderedTree) { self.tree = tree }

    var revision: Int? { tree?.revision }

    func wireframe() -> Wireframe? { tree.map { ScreenWireframe().wireframe(of: $0) } }
}
