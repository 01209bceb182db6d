// The values of CoreGraphics, which Foundation has on Linux. An app imports this module as CoreGraphics.
@_exported public import struct Foundation.CGFloat
@_exported public import struct Foundation.CGPoint
@_exported public import struct Foundation.CGRect
@_exported public import struct Foundation.CGSize
@_exported public import struct SwiftUI.CGAffineTransform
@_exported public import enum SwiftUI.CGLineCap
@_exported public import enum SwiftUI.CGLineJoin
