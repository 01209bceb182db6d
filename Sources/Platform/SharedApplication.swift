#if canImport(UIKit) && !os(watchOS)
import Foundation
package import UIKit

/// The shared application where `UIApplication.shared` cannot be used: in code that app extensions link, and before
/// `UIApplicationMain`, when it would report `.active`.
@MainActor
package enum SharedApplication {
    /// `nil` in an extension and before `UIApplicationMain`.
    package static var current: UIApplication? {
        let selector = NSSelectorFromString("sharedApplication")
        guard UIApplication.responds(to: selector) else { return nil }
        return UIApplication.perform(selector)?.takeUnretainedValue() as? UIApplication
    }
}
#endif
