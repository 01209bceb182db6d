import SwiftUI

extension View {
    /// Calls an action with the new value when a value changes.
    ///
    /// SwiftUI's form with one parameter is deprecated in macOS 14, and the form with two needs iOS 17. This one
    /// compiles without a warning for iOS 16 and macOS 14.
    func onNewValue<Value: Equatable>(
        of value: Value, perform action: @escaping (_ newValue: Value) -> Void,
    ) -> some View {
        #if os(macOS)
        return onChange(of: value) { _, newValue in action(newValue) }
        #else
        return onChange(of: value, perform: action)
        #endif
    }
}
