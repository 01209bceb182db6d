import Astrolabe
import AstrolabeSessionReplay
import DeviceLink
import ViewTree

/// Provides the newest screen to the replay.
@MainActor
final class ScreenSource: ReplaySource {
    var device: DeviceProfile
    private var tree: RenderedTree?

    init(_ device: DeviceProfile = .standard) {
        self.device = device
    }

    func show(_ tree: RenderedTree) { self.tree = tree }

    var revision: Int? { tree?.revision }

    func wireframe() -> Wireframe? { tree.map { ScreenWireframe(device: device).wireframe(of: $0) } }
}
