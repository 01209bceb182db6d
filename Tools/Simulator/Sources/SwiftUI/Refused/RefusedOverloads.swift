public import Foundation
public import UniformTypeIdentifiersForLinux

// Results of refused names with several forms, to be called with the arguments. The names are variables, because the
// compiler drops the message of an unavailable function that is overloaded, if it has another complaint.

@MainActor
public struct _RefusedPhotosPicker<Content: View> {
    let view: Content

    public func callAsFunction(
        isPresented: Binding<Bool>, selection: Binding<PhotosPickerItem?>, matching filter: PHPickerFilter? = nil,
    ) -> Content { view }

    public func callAsFunction(
        isPresented: Binding<Bool>, selection: Binding<[PhotosPickerItem]>, maxSelectionCount: Int? = nil,
        matching filter: PHPickerFilter? = nil,
    ) -> Content { view }
}

@MainActor
public struct _RefusedToolbarBackground<Content: View> {
    let view: Content

    public func callAsFunction<S: ShapeStyle>(_ style: S, for bars: ToolbarPlacement...) -> Content { view }

    public func callAsFunction(_ visibility: Visibility, for bars: ToolbarPlacement...) -> Content { view }
}

@MainActor
public struct _RefusedFileImporter<Content: View> {
    let view: Content

    public func callAsFunction(
        isPresented: Binding<Bool>, allowedContentTypes: [UTType],
        onCompletion: @escaping (Result<URL, any Error>) -> Void,
    ) -> Content { view }

    public func callAsFunction(
        isPresented: Binding<Bool>, allowedContentTypes: [UTType], allowsMultipleSelection: Bool,
        onCompletion: @escaping (Result<[URL], any Error>) -> Void,
    ) -> Content { view }
}

@MainActor
public struct _RefusedOnDrop<Content: View> {
    let view: Content

    public func callAsFunction(
        of supportedContentTypes: [UTType], isTargeted: Binding<Bool>?,
        perform action: @escaping ([NSItemProvider]) -> Bool,
    ) -> Content { view }

    public func callAsFunction(
        of supportedContentTypes: [UTType], isTargeted: Binding<Bool>?,
        perform action: @escaping ([NSItemProvider], CGPoint) -> Bool,
    ) -> Content { view }

    public func callAsFunction(of supportedContentTypes: [UTType], delegate: any DropDelegate) -> Content { view }
}

@MainActor
public struct _RefusedMask<Content: View> {
    let view: Content

    public func callAsFunction<Mask: View>(alignment: Alignment = .center, @ViewBuilder _ mask: () -> Mask) -> Content {
        view
    }

    public func callAsFunction<Mask: View>(_ mask: Mask) -> Content { view }
}

@MainActor
public struct _RefusedDraggable<Content: View> {
    let view: Content

    public func callAsFunction<T>(_ payload: @autoclosure @escaping () -> T) -> Content { view }

    public func callAsFunction<T, V: View>(
        _ payload: @autoclosure @escaping () -> T, @ViewBuilder preview: () -> V,
    ) -> Content { view }
}

@MainActor
public struct _RefusedOnDrag<Content: View> {
    let view: Content

    public func callAsFunction(_ data: @escaping () -> NSItemProvider) -> Content { view }

    public func callAsFunction<V: View>(
        _ data: @escaping () -> NSItemProvider, @ViewBuilder preview: () -> V,
    ) -> Content { view }
}

@MainActor
public struct _RefusedAlignmentGuide<Content: View> {
    let view: Content

    public func callAsFunction(
        _ g: HorizontalAlignment, computeValue: @escaping (ViewDimensions) -> CGFloat,
    ) -> Content { view }

    public func callAsFunction(
        _ g: VerticalAlignment, computeValue: @escaping (ViewDimensions) -> CGFloat,
    ) -> Content { view }
}
