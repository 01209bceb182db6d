// Well-known names that the stand-in refuses. A use of one does not compile, and the message says why.
// Scripts/swiftui-support lists them in Docs/SwiftUIOnLinux.md.

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

@available(*, unavailable, message: "The stand-in for SwiftUI does not support MagnificationGesture.")
public struct MagnificationGesture {}

@available(*, unavailable, message: "The stand-in for SwiftUI does not support RotationGesture.")
public struct RotationGesture {}

@available(*, unavailable, message: "The stand-in for SwiftUI does not support Namespace.")
public struct Namespace {}

@available(*, unavailable, message: "The stand-in for SwiftUI does not support ContentUnavailableView.")
public struct ContentUnavailableView {}

@available(*, unavailable, message: "The stand-in for SwiftUI does not support ControlGroup.")
public struct ControlGroup {}

@available(*, unavailable, message: "The stand-in for SwiftUI does not support AngularGradient.")
public struct AngularGradient {}

@available(*, unavailable, message: "The stand-in for SwiftUI does not support UnevenRoundedRectangle.")
public struct UnevenRoundedRectangle {}

@available(*, unavailable, message: "The stand-in for SwiftUI does not support MagnifyGesture.")
public struct MagnifyGesture {}

@available(*, unavailable, message: "The stand-in for SwiftUI does not support RotateGesture.")
public struct RotateGesture {}

@available(*, unavailable, message: "The stand-in for SwiftUI does not support AnyLayout.")
public struct AnyLayout {}

@available(*, unavailable, message: "The stand-in for SwiftUI does not support MultiDatePicker.")
public struct MultiDatePicker {}

@available(*, unavailable, message: "The stand-in for SwiftUI does not support ImageRenderer.")
public struct ImageRenderer {}

@available(*, unavailable, message: "The stand-in for SwiftUI does not support PhotosPicker.")
public struct PhotosPicker {}

@available(*, unavailable, message: "The stand-in for SwiftUI does not support UIApplication.")
public struct UIApplication {}

@available(*, unavailable, message: "The stand-in for SwiftUI does not support UIColor.")
public struct UIColor {}

@available(*, unavailable, message: "The stand-in for SwiftUI does not support UIImage.")
public struct UIImage {}

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

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support brightness.")
    public func brightness(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support rotation3DEffect.")
    public func rotation3DEffect(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support drawingGroup.")
    public func drawingGroup(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support compositingGroup.")
    public func compositingGroup(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support alignmentGuide.")
    public func alignmentGuide(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support anchorPreference.")
    public func anchorPreference(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support overlayPreferenceValue.")
    public func overlayPreferenceValue(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support backgroundPreferenceValue.")
    public func backgroundPreferenceValue(_ arguments: Any...) -> some View { self }

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

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support allowsHitTesting.")
    public func allowsHitTesting(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support textSelection.")
    public func textSelection(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support symbolRenderingMode.")
    public func symbolRenderingMode(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support symbolVariant.")
    public func symbolVariant(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support scrollContentBackground.")
    public func scrollContentBackground(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support gaugeStyle.")
    public func gaugeStyle(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support formStyle.")
    public func formStyle(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support scrollDismissesKeyboard.")
    public func scrollDismissesKeyboard(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support buttonBorderShape.")
    public func buttonBorderShape(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support keyboardShortcut.")
    public func keyboardShortcut(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support accessibilityAction.")
    public func accessibilityAction(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support accessibilitySortPriority.")
    public func accessibilitySortPriority(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support accessibilityFocused.")
    public func accessibilityFocused(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support toolbarBackground.")
    public func toolbarBackground(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support menuStyle.")
    public func menuStyle(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support controlGroupStyle.")
    public func controlGroupStyle(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support listRowSpacing.")
    public func listRowSpacing(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support listSectionSpacing.")
    public func listSectionSpacing(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support presentationBackground.")
    public func presentationBackground(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support presentationCornerRadius.")
    public func presentationCornerRadius(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support inspector.")
    public func inspector(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support searchSuggestions.")
    public func searchSuggestions(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support searchScopes.")
    public func searchScopes(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support focusable.")
    public func focusable(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support headerProminence.")
    public func headerProminence(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support userActivity.")
    public func userActivity(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support scrollTargetBehavior.")
    public func scrollTargetBehavior(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support scrollTargetLayout.")
    public func scrollTargetLayout(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support safeAreaPadding.")
    public func safeAreaPadding(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support onGeometryChange.")
    public func onGeometryChange(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support onHover.")
    public func onHover(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support hoverEffect.")
    public func hoverEffect(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support statusBarHidden.")
    public func statusBarHidden(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support persistentSystemOverlays.")
    public func persistentSystemOverlays(_ arguments: Any...) -> some View { self }

    @available(*, unavailable, message: "The stand-in for SwiftUI does not support fontWidth.")
    public func fontWidth(_ arguments: Any...) -> some View { self }
}
