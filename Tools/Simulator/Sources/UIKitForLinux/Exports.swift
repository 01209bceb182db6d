// What view files use of UIKit. On Linux an app imports this module as UIKit.
@_exported public import Foundation

@_exported public import struct SwiftUI.CGAffineTransform
@_exported public import class SwiftUI.UIColor
@_exported public import class SwiftUI.UIDevice
@_exported public import enum SwiftUI.UIKeyboardType
@_exported public import class SwiftUI.UIScreen
@_exported public import enum SwiftUI.UIUserInterfaceIdiom
