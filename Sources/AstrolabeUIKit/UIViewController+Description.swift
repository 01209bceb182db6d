#if canImport(UIKit) && !os(watchOS)
package import Astrolabe
package import AstrolabeViewTracing
import Foundation
package import UIKit

extension UIViewController {
    /// True if this controller only arranges others.
    package var arrangesOthers: Bool {
        self is UINavigationController || self is UITabBarController || self is UISplitViewController
            || self is UIPageViewController
    }

    /// This controller for its trace, with its place among others now.
    package func controllerDescription(
        _ name: String?, id: String?, role: ViewRole?, attributes: Attributes,
    ) -> ControllerDescription {
        var isInsideContent = false
        var ancestor = parent
        while let controller = ancestor {
            if !controller.arrangesOthers { isInsideContent = true }
            ancestor = controller.parent
        }
        return ControllerDescription(
            name: name ?? String(describing: classForCoder), id: id, role: role, attributes: attributes,
            isContainer: arrangesOthers, isInsideContent: isInsideContent)
    }
}
#endif
