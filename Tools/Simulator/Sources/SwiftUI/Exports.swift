// Apple's SwiftUI re-exports Foundation and Combine, so `CGFloat`, `ObservableObject` and `URL` need no import.
@_exported public import Combine
@_exported public import Foundation
