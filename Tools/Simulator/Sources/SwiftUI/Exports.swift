// Apple's SwiftUI re-exports Foundation, so `CGFloat`, `URL` and `Locale` need no import.
@_exported public import Foundation
