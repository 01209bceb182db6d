#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
import Foundation
import UIKit

/// Reads the views of the key window, with the place of each on the screen.
///
/// It has been written against the documentation of UIKit and has not run on a device or a simulator. Text that SwiftUI
/// draws without a `UILabel`, as it mostly does, is seen as an area without a text; controls that SwiftUI takes from
/// UIKit, lists, bars and fields among them, are seen as what they are.
@MainActor
final class ViewTreeSource: ReplaySource {
    /// Views have no number; each gets one for as long as it lives.
    private let ids = NSMapTable<UIView, NSNumber>.weakToStrongObjects()
    private var lastID = 0

    /// UIKit does not tell whether anything changed.
    var revision: Int? { nil }

    func wireframe() -> Wireframe? {
        let scenes = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
        guard let scene = scenes.first(where: { $0.activationState == .foregroundActive }) ?? scenes.first,
            let window = scene.windows.first(where: \.isKeyWindow) ?? scene.windows.first
        else { return nil }
        var root = node(of: window, in: window, level: 0)
        root.role = .screen
        root.style.fill = Wireframe.Color(window.traitCollection.userInterfaceStyle == .dark ? "#000000" : "#ffffff")
        return Wireframe(width: Int(window.bounds.width), height: Int(window.bounds.height), root: root)
    }

    /// Deeper than the limit of a record, so that the record says that something was cut off.
    private static let levelLimit = 48

    private func node(of view: UIView, in window: UIWindow, level: Int) -> Wireframe.Node {
        var node = Wireframe.Node(id: id(of: view), role: view.replayRole, name: view.accessibilityIdentifier)
        let frame = view.convert(view.bounds, to: window)
        node.layout.box = Wireframe.Box(
            x: Self.rounded(frame.minX), y: Self.rounded(frame.minY), width: Self.rounded(frame.width),
            height: Self.rounded(frame.height), )
        view.describe(&node)
        guard level < Self.levelLimit, !node.role.isWhole else { return node }
        node.children = view.subviews.compactMap { child in
            guard !child.isHidden, child.alpha > 0.01, child.bounds.width > 0, child.bounds.height > 0,
                child.convert(child.bounds, to: window).intersects(window.bounds)
            else { return nil }
            return self.node(of: child, in: window, level: level + 1)
        }
        return node
    }

    private func id(of view: UIView) -> Int {
        if let known = ids.object(forKey: view) { return known.intValue }
        lastID += 1
        ids.setObject(NSNumber(value: lastID), forKey: view)
        return lastID
    }

    /// To half a point.
    private static func rounded(_ length: CGFloat) -> Double { (Double(length) * 2).rounded() / 2 }
}

extension Wireframe.Role {
    /// Whether what UIKit puts inside says nothing more.
    fileprivate var isWhole: Bool {
        switch self {
        case .text, .image, .icon, .field, .toggle, .slider, .stepper, .picker, .progress: true
        default: false
        }
    }
}

extension ReplayRecorder {
    /// Reads the key window from now on, unless the app has attached a source of its own.
    package func attachScreen() {
        guard isEnabled else { return }
        Task { @MainActor in
            if !hasSource { attach(ViewTreeSource()) }
        }
    }
}
#endif
