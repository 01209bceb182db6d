#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
import AstrolabePlatform
import Foundation
import UIKit

/// Reads the views of the key window with their positions on the screen.
///
/// Written against UIKit's documentation; not yet tested on a device or simulator. SwiftUI draws most text without a
/// `UILabel`, so it appears as an area without text. Controls that SwiftUI takes from UIKit, such as lists, bars and
/// fields, appear with their role.
@MainActor
final class ViewTreeSource: ReplaySource {
    /// Views have no identifiers; each gets one for its lifetime.
    private let ids = NSMapTable<UIView, NSNumber>.weakToStrongObjects()
    private var lastID = 0

    /// UIKit does not report whether anything changed.
    var revision: Int? { nil }

    func wireframe() -> Wireframe? {
        let scenes = SharedApplication.current?.connectedScenes.compactMap { $0 as? UIWindowScene } ?? []
        guard let scene = scenes.first(where: { $0.activationState == .foregroundActive }) ?? scenes.first,
            let window = scene.windows.first(where: \.isKeyWindow) ?? scene.windows.first
        else { return nil }
        var root = node(of: window, in: window, level: 0)
        root.role = .screen
        root.style.fill = Wireframe.Color(window.traitCollection.userInterfaceStyle == .dark ? "#000000" : "#ffffff")
        return Wireframe(width: Int(window.bounds.width), height: Int(window.bounds.height), root: root)
    }

    /// More than the limit of a record, so that the record is marked as cut off.
    private static let levelLimit = 48

    private func node(of view: UIView, in window: UIWindow, level: Int) -> Wireframe.Node {
        var node = Wireframe.Node(id: id(of: view), role: view.replayRole, name: view.accessibilityIdentifier)
        let frame = view.convert(view.bounds, to: window)
        node.layout.box = Wireframe.Box(
            x: Self.rounded(frame.minX), y: Self.rounded(frame.minY), width: Self.rounded(frame.width),
            height: Self.rounded(frame.height))
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

    /// Rounds to half a point.
    private static func rounded(_ length: CGFloat) -> Double { (Double(length) * 2).rounded() / 2 }
}

extension Wireframe.Role {
    /// True if UIKit's subviews of it carry no further information.
    fileprivate var isWhole: Bool {
        switch self {
        case .text, .image, .icon, .field, .toggle, .slider, .stepper, .picker, .progress: true
        default: false
        }
    }
}

extension ReplayRecorder {
    /// Reads the key window from now on, unless the app has attached its own source.
    package func attachScreen() {
        guard isEnabled else { return }
        Task { @MainActor in
            if !hasSource { attach(ViewTreeSource()) }
        }
    }
}
#endif
