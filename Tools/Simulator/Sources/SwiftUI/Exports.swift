// Apple's SwiftUI brings Foundation with it, by way of UIKit: `CGFloat`, `URL`, `Locale` need no import of their own.
@_exported public import Foundation
