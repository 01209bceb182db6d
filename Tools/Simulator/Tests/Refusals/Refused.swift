import SwiftUI

// One use of each name that the stand-in refuses, each on a line of its own. `RefusalTests` compiles this file alone,
// and expects the message about the name on its line. A name that becomes supported loses its line here.

private func use() {
    _ = Canvas.self  // refused: Canvas
    _ = TimelineView.self  // refused: TimelineView
    _ = NavigationSplitView.self  // refused: NavigationSplitView
    _ = Table.self  // refused: Table
    _ = OutlineGroup.self  // refused: OutlineGroup
    _ = ColorPicker.self  // refused: ColorPicker
    _ = Grid.self  // refused: Grid
    _ = ViewThatFits.self  // refused: ViewThatFits
    _ = ShareLink.self  // refused: ShareLink
    _ = MagnificationGesture.self  // refused: MagnificationGesture
    _ = RotationGesture.self  // refused: RotationGesture
    _ = Namespace.self  // refused: Namespace
    _ = (any UIViewRepresentable).self  // refused: UIViewRepresentable
    _ = (any UIViewControllerRepresentable).self  // refused: UIViewControllerRepresentable
    _ = UIHostingController.self  // refused: UIHostingController
    _ = (any Layout).self  // refused: Layout
}

@MainActor
private func use(_ view: Text) {
    _ = view.matchedGeometryEffect()  // refused: matchedGeometryEffect
    _ = view.highPriorityGesture()  // refused: highPriorityGesture
    _ = view.onDrag()  // refused: onDrag
    _ = view.onDrop()  // refused: onDrop
    _ = view.draggable()  // refused: draggable
    _ = view.dropDestination()  // refused: dropDestination
    _ = view.mask()  // refused: mask
    _ = view.blendMode()  // refused: blendMode
    _ = view.colorMultiply()  // refused: colorMultiply
    _ = view.saturation()  // refused: saturation
    _ = view.hueRotation()  // refused: hueRotation
    _ = view.brightness()  // refused: brightness
    _ = view.contrast()  // refused: contrast
    _ = view.grayscale()  // refused: grayscale
    _ = view.rotation3DEffect()  // refused: rotation3DEffect
    _ = view.drawingGroup()  // refused: drawingGroup
    _ = view.compositingGroup()  // refused: compositingGroup
    _ = view.alignmentGuide()  // refused: alignmentGuide
    _ = view.safeAreaInset()  // refused: safeAreaInset
    _ = view.anchorPreference()  // refused: anchorPreference
    _ = view.overlayPreferenceValue()  // refused: overlayPreferenceValue
    _ = view.backgroundPreferenceValue()  // refused: backgroundPreferenceValue
    _ = view.onOpenURL()  // refused: onOpenURL
    _ = view.fileImporter()  // refused: fileImporter
    _ = view.fileExporter()  // refused: fileExporter
    _ = view.photosPicker()  // refused: photosPicker
    _ = view.preferredColorScheme()  // refused: preferredColorScheme
    _ = view.containerRelativeFrame()  // refused: containerRelativeFrame
    _ = view.scrollPosition()  // refused: scrollPosition
    _ = view.phaseAnimator()  // refused: phaseAnimator
    _ = view.keyframeAnimator()  // refused: keyframeAnimator
    _ = view.contentTransition()  // refused: contentTransition
    _ = view.symbolEffect()  // refused: symbolEffect
    _ = view.sensoryFeedback()  // refused: sensoryFeedback
    _ = view.visualEffect()  // refused: visualEffect
}
