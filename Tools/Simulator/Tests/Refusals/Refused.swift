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
    _ = MagnificationGesture.self  // refused: MagnificationGesture
    _ = RotationGesture.self  // refused: RotationGesture
    _ = Namespace.self  // refused: Namespace
    _ = ContentUnavailableView.self  // refused: ContentUnavailableView
    _ = ControlGroup.self  // refused: ControlGroup
    _ = AngularGradient.self  // refused: AngularGradient
    _ = UnevenRoundedRectangle.self  // refused: UnevenRoundedRectangle
    _ = MagnifyGesture.self  // refused: MagnifyGesture
    _ = RotateGesture.self  // refused: RotateGesture
    _ = AnyLayout.self  // refused: AnyLayout
    _ = MultiDatePicker.self  // refused: MultiDatePicker
    _ = ImageRenderer.self  // refused: ImageRenderer
    _ = PhotosPicker.self  // refused: PhotosPicker
    _ = UIApplication.self  // refused: UIApplication
    _ = UIColor.self  // refused: UIColor
    _ = UIImage.self  // refused: UIImage
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
    _ = view.brightness()  // refused: brightness
    _ = view.rotation3DEffect()  // refused: rotation3DEffect
    _ = view.drawingGroup()  // refused: drawingGroup
    _ = view.compositingGroup()  // refused: compositingGroup
    _ = view.alignmentGuide()  // refused: alignmentGuide
    _ = view.anchorPreference()  // refused: anchorPreference
    _ = view.overlayPreferenceValue()  // refused: overlayPreferenceValue
    _ = view.backgroundPreferenceValue()  // refused: backgroundPreferenceValue
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
    _ = view.allowsHitTesting()  // refused: allowsHitTesting
    _ = view.textSelection()  // refused: textSelection
    _ = view.symbolRenderingMode()  // refused: symbolRenderingMode
    _ = view.symbolVariant()  // refused: symbolVariant
    _ = view.scrollContentBackground()  // refused: scrollContentBackground
    _ = view.gaugeStyle()  // refused: gaugeStyle
    _ = view.formStyle()  // refused: formStyle
    _ = view.scrollDismissesKeyboard()  // refused: scrollDismissesKeyboard
    _ = view.buttonBorderShape()  // refused: buttonBorderShape
    _ = view.keyboardShortcut()  // refused: keyboardShortcut
    _ = view.accessibilityAction()  // refused: accessibilityAction
    _ = view.accessibilitySortPriority()  // refused: accessibilitySortPriority
    _ = view.accessibilityFocused()  // refused: accessibilityFocused
    _ = view.toolbarBackground()  // refused: toolbarBackground
    _ = view.menuStyle()  // refused: menuStyle
    _ = view.controlGroupStyle()  // refused: controlGroupStyle
    _ = view.listRowSpacing()  // refused: listRowSpacing
    _ = view.listSectionSpacing()  // refused: listSectionSpacing
    _ = view.presentationBackground()  // refused: presentationBackground
    _ = view.presentationCornerRadius()  // refused: presentationCornerRadius
    _ = view.inspector()  // refused: inspector
    _ = view.searchSuggestions()  // refused: searchSuggestions
    _ = view.searchScopes()  // refused: searchScopes
    _ = view.focusable()  // refused: focusable
    _ = view.headerProminence()  // refused: headerProminence
    _ = view.userActivity()  // refused: userActivity
    _ = view.scrollTargetBehavior()  // refused: scrollTargetBehavior
    _ = view.scrollTargetLayout()  // refused: scrollTargetLayout
    _ = view.safeAreaPadding()  // refused: safeAreaPadding
    _ = view.onGeometryChange()  // refused: onGeometryChange
    _ = view.onHover()  // refused: onHover
    _ = view.hoverEffect()  // refused: hoverEffect
    _ = view.statusBarHidden()  // refused: statusBarHidden
    _ = view.persistentSystemOverlays()  // refused: persistentSystemOverlays
    _ = view.fontWidth()  // refused: fontWidth
}
