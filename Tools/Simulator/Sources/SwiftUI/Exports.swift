// Apple's SwiftUI re-exports these, so `CGFloat`, `ObservableObject` and `@Observable` need no import.
@_exported public import Combine
@_exported public import Foundation
@_exported public import Observation
