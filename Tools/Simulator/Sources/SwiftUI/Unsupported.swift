// Well-known names that the stand-in refuses. A use of one does not compile, and the message says why.
// Scripts/swiftui-support lists them in Docs/SwiftUI.md.

@available(*, unavailable, message: "The stand-in for SwiftUI does not support Canvas.")
public struct Canvas {}

@available(*, unavailable, message: "The stand-in for SwiftUI does not support TimelineView.")
public struct TimelineView {}

@available(*, unavailable, message: "The stand-in for SwiftUI does not support NavigationSplitView.")
public struct NavigationSplitView {}

@available(*, unavailable, message: "The stand-in for SwiftUI does not support Table.")
public struct Table {}

@available(*, unavailable, message: "The stand-in for SwiftUI does not support OutlineGroup.")
public struct OutlineGroup {}

@available(*, unavailable, message: "The stand-in for SwiftUI does not support ColorPicker.")
public struct ColorPicker {}

@available(*, unavailable, message: "The stand-in for SwiftUI does not support Grid.")
public struct Grid {}

@available(*, unavailable, message: "The stand-in for SwiftUI does not support ViewThatFits.")
public struct ViewThatFits {}

@available(*, unavailable, message: "The stand-in for SwiftUI does not support ShareLink.")
public struct ShareLink {}

@available(*, unavailable, message: "The stand-in for SwiftUI does not support MagnificationGesture.")
public struct MagnificationGesture {}

@available(*, unavailable, message: "The stand-in for SwiftUI does not support RotationGesture.")
public struct RotationGesture {}

@available(*, unavailable, message: "The stand-in for SwiftUI does not support Namespace.")
public struct Namespace {}

@available(*, unavailable, message: "The stand-in for SwiftUI does not support UIViewRepresentable.")
public protocol UIViewRepresentable {}

@available(*, unavailable, message: "The stand-in for SwiftUI does not support UIViewControllerRepresentable.")
public protocol UIViewControllerRepresentable {}

@available(*, unavailable, message: "The stand-in for SwiftUI does not support UIHostingController.")
public struct UIHostingController {}

@available(*, unavailable, message: "The stand-in for SwiftUI does not support Layout.")
public protocol Layout {}

extension View {
    @available(*, unavailable, message: "The stand-in for SwiftUI does not support matchedGeometryEffect.")
    public func matchedGeometryEffect(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support highPriorityGesture.")
    public func highPriorityGesture(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support onDrag.")
    public func onDrag(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support onDrop.")
    public func onDrop(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support draggable.")
    public func draggable(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support dropDestination.")
    public func dropDestination(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support mask.")
    public func mask(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support blendMode.")
    public func blendMode(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support colorMultiply.")
    public func colorMultiply(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support saturation.")
    public func saturation(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support hueRotation.")
    public func hueRotation(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support brightness.")
    public func brightness(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support contrast.")
    public func contrast(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support grayscale.")
    public func grayscale(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support rotation3DEffect.")
    public func rotation3DEffect(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support drawingGroup.")
    public func drawingGroup(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support compositingGroup.")
    public func compositingGroup(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support alignmentGuide.")
    public func alignmentGuide(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support safeAreaInset.")
    public func safeAreaInset(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support anchorPreference.")
    public func anchorPreference(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support overlayPreferenceValue.")
    public func overlayPreferenceValue(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support backgroundPreferenceValue.")
    public func backgroundPreferenceValue(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support onOpenURL.")
    public func onOpenURL(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support fileImporter.")
    public func fileImporter(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support fileExporter.")
    public func fileExporter(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support photosPicker.")
    public func photosPicker(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support preferredColorScheme.")
    public func preferredColorScheme(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support containerRelativeFrame.")
    public func containerRelativeFrame(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support scrollPosition.")
    public func scrollPosition(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support phaseAnimator.")
    public func phaseAnimator(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support keyframeAnimator.")
    public func keyframeAnimator(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support contentTransition.")
    public func contentTransition(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support symbolEffect.")
    public func symbolEffect(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support sensoryFeedback.")
    public func sensoryFeedback(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support visualEffect.")
    public func visualEffect(_ arguments: Any...) -> some View { self }
}
