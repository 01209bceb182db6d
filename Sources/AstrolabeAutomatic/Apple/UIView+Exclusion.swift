#if canImport(ObjectiveC) && canImport(UIKit) && !os(watchOS)
import ObjectiveC
public import UIKit

extension UIView {
    /// Set to true to record no taps on this view and on controls inside it with ``AutomaticInstrumentation``. Default
    /// `false`.
    ///
    ///     pinPad.isExcludedFromAutomaticTaps = true
    public var isExcludedFromAutomaticTaps: Bool {
        get { objc_getAssociatedObject(self, Exclusion.key) != nil }
        set {
            let mark: NSNumber? = newValue ? true : nil
            objc_setAssociatedObject(self, Exclusion.key, mark, .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
        }
    }
}

@MainActor
private enum Exclusion {
    /// Its address is the key of the association.
    static let key = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
}
#endif
