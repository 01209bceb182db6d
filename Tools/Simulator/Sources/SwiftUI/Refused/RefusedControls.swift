public import Foundation
public import UniformTypeIdentifiersForLinux

// Controls, bars, presentations and services that the stand-in refuses: see `RefusedTypes.swift`.

extension View {
    @available(*, unavailable, message: "SwiftUI on Linux lacks fileImporter. The phone has no files.")
    public var fileImporter: _RefusedFileImporter<Self> { _RefusedFileImporter(view: self) }

    @available(*, unavailable, message: "SwiftUI on Linux lacks fileExporter. The phone has no files.")
    public func fileExporter<D: FileDocument>(
        isPresented: Binding<Bool>, document: D?, contentType: UTType, defaultFilename: String? = nil,
        onCompletion: @escaping (Result<URL, any Error>) -> Void,
    ) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks photosPicker. Use images of the asset catalog.")
    public var photosPicker: _RefusedPhotosPicker<Self> { _RefusedPhotosPicker(view: self) }

    @available(*, unavailable, message: "SwiftUI on Linux lacks quickLookPreview. The phone has no files.")
    public func quickLookPreview(_ item: Binding<URL?>) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks gaugeStyle. The default is the linear style.")
    public func gaugeStyle(_ style: GaugeStyle) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks accessibilityRotor. Use headers.")
    public func accessibilityRotor<C: View>(
        _ labelKey: LocalizedStringKey, @ViewBuilder entries: @escaping () -> C,
    ) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks accessibilitySortPriority. Order the views.")
    public func accessibilitySortPriority(_ sortPriority: Double) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks accessibilityFocused. Use accessibilityLabel.")
    public func accessibilityFocused(_ condition: _AccessibilityFocusBinding) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks toolbarBackground. The bar has the system's material.")
    public var toolbarBackground: _RefusedToolbarBackground<Self> { _RefusedToolbarBackground(view: self) }

    @available(*, unavailable, message: "SwiftUI on Linux lacks toolbarColorScheme. Use preferredColorScheme.")
    public func toolbarColorScheme(_ colorScheme: ColorScheme?, for bars: ToolbarPlacement...) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks menuStyle. Use a Button with confirmationDialog.")
    public func menuStyle(_ style: MenuStyle) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks menuOrder. The order is that of the code.")
    public func menuOrder(_ order: MenuOrder) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks controlGroupStyle. Use HStack.")
    public func controlGroupStyle(_ style: ControlGroupStyle) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks inspector. Use sheet.")
    public func inspector<V: View>(isPresented: Binding<Bool>, @ViewBuilder content: () -> V) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks statusBarHidden. Use fullScreenCover.")
    public func statusBarHidden(_ hidden: Bool = true) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks statusBar. Use fullScreenCover.")
    public func statusBar(hidden: Bool) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks persistentSystemOverlays. The home indicator stays.")
    public func persistentSystemOverlays(_ visibility: Visibility) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks userActivity. The phone has no other devices.")
    public func userActivity(
        _ activityType: String, isActive: Bool = true, _ update: @escaping (NSUserActivity) -> Void,
    ) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks onContinueUserActivity. Use onOpenURL.")
    public func onContinueUserActivity(
        _ activityType: String, perform action: @escaping (NSUserActivity) -> Void,
    ) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks dialogIcon. Use an alert.")
    public func dialogIcon(_ icon: Image?) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks dialogSuppressionToggle. Use a toggle in the settings.")
    public func dialogSuppressionToggle(isSuppressed: Binding<Bool>) -> some View { self }

    @available(*, unavailable, message: "SwiftUI on Linux lacks tabViewBottomAccessory. Use safeAreaInset.")
    public func tabViewBottomAccessory<C: View>(@ViewBuilder content: () -> C) -> some View { self }
}
