public import Foundation
import ViewTree

/// Presents a sheet while there is an item.
struct SheetModifier: PrimitiveModifier {
    typealias Body = Never
    /// The identity of the item; `nil` if there is none.
    let identity: () -> AnyHashable?
    let dismiss: () -> Void
    let onDismiss: (() -> Void)?
    let isFullScreen: Bool
    let content: () -> (any View)?

    private final class Presentation {
        let dismissal = DismissTarget()
        let editScope = EditScope()
        let scheme = SchemeChoice()
        var isUp = false
    }

    private func presentation(_ node: ViewNode) -> Presentation {
        if let presentation = node.storage as? Presentation { return presentation }
        let presentation = Presentation()
        node.storage = presentation
        return presentation
    }

    func slots(content base: any View, in node: ViewNode) -> [Slot] {
        let presentation = presentation(node)
        let dismiss = dismiss
        presentation.dismissal.action = dismiss
        let identity = identity()
        if presentation.isUp, identity == nil, let onDismiss { node.graph.enqueue(.change) { onDismiss() } }
        presentation.isUp = identity != nil
        guard let identity, let content = content() else { return [Slot(.position(0), base)] }
        return [
            Slot(.position(0), base),
            Slot(.element(identity, 0), content) {
                $0.dismissTarget = presentation.dismissal
                $0.leaveContainers()
                $0.editMode = presentation.editScope.binding
                presentation.scheme.apply(to: &$0)
            },
        ]
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = children[0]
        guard children.count > 1 else { return output }
        let sheet = children[1]
        var properties: [String: NodeValue] = ["fullScreen": .bool(isFullScreen)]
        properties.merge(sheet.preferences.sheetStyle) { $1 }
        let scheme = presentation(node).scheme.adopt(sheet.preferences.colorScheme, in: node)
        if sheet.preferences.colorScheme != nil { properties["colorScheme"] = scheme == .dark ? "dark" : "light" }
        if !sheet.preferences.detents.isEmpty {
            properties["detents"] = .list(sheet.preferences.detents.map { .string($0) })
        }
        let showsIndicator =
            switch sheet.preferences.dragIndicator {
            case .visible: true
            case .hidden: false
            case .automatic: sheet.preferences.detents.count > 1
            }
        if showsIndicator, !isFullScreen { properties["dragIndicator"] = true }
        var actions: [ViewAction] = []
        if !sheet.preferences.staysUp, !isFullScreen {
            actions.append(.dismiss)
            node.handle(.dismiss) { dismiss() }
        }
        let covers = RenderedNode(
            id: node.id, kind: .sheet, properties: properties, actions: actions,
            children: (sheet.preferences.sheetLayer.map { [$0] } ?? []) + sheet.nodes)
        output.preferences.presentations += [covers] + sheet.preferences.presentations
        return output
    }
}

extension EnvironmentValues {
    /// A sheet does not inherit the list, the page, or the disabled state of its presenter.
    mutating func leaveContainers() {
        isInList = false
        isInBar = false
        rowSelection = nil
        navigation = nil
        splitOpening = nil
        isEnabled = true
        leavePresentation = nil
        refresh = nil
        font = nil
        foreground = nil
        buttonStyle = .automatic
        textAttributes = TextAttributes()
    }
}

/// The height of a sheet.
public struct PresentationDetent: Hashable, Sendable {
    let name: String

    public static let medium = PresentationDetent(name: "medium")
    public static let large = PresentationDetent(name: "large")

    /// A part of the height of the screen.
    public static func fraction(_ fraction: CGFloat) -> PresentationDetent {
        PresentationDetent(name: "fraction:\(plain(Double(fraction)))")
    }

    public static func height(_ height: CGFloat) -> PresentationDetent {
        PresentationDetent(name: "height:\(plain(Double(height)))")
    }

    /// The height on a screen of about 800 points, by which detents are compared.
    var order: Double {
        let number = Double(name.split(separator: ":").last ?? "") ?? 0
        return switch name {
        case "medium": 430
        case "large": 800
        default: name.hasPrefix("fraction") ? number * 800 : number
        }
    }
}

struct SheetPreferenceModifier: PrimitiveModifier {
    typealias Body = Never
    let change: (inout ViewPreferences) -> Void

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = Output(merging: children)
        change(&output.preferences)
        return output
    }
}

extension View {
    public func sheet<Content: View>(
        isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content,
    ) -> some View {
        cover(isPresented, onDismiss, isFullScreen: false, content)
    }

    public func fullScreenCover<Content: View>(
        isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content,
    ) -> some View {
        cover(isPresented, onDismiss, isFullScreen: true, content)
    }

    private func cover<Content: View>(
        _ isPresented: Binding<Bool>, _ onDismiss: (() -> Void)?, isFullScreen: Bool,
        _ content: @escaping () -> Content,
    ) -> some View {
        modifier(
            SheetModifier(
                identity: { isPresented.wrappedValue ? AnyHashable(true) : nil },
                dismiss: { isPresented.wrappedValue = false }, onDismiss: onDismiss, isFullScreen: isFullScreen,
                content: content,
            )
        )
    }

    /// Presents another sheet for another item.
    public func sheet<Item: Identifiable, Content: View>(
        item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> Content,
    ) -> some View {
        cover(item, onDismiss, isFullScreen: false, content)
    }

    /// Presents another cover for another item.
    public func fullScreenCover<Item: Identifiable, Content: View>(
        item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> Content,
    ) -> some View {
        cover(item, onDismiss, isFullScreen: true, content)
    }

    private func cover<Item: Identifiable, Content: View>(
        _ item: Binding<Item?>, _ onDismiss: (() -> Void)?, isFullScreen: Bool,
        _ content: @escaping (Item) -> Content,
    ) -> some View {
        modifier(
            SheetModifier(
                identity: { item.wrappedValue.map { AnyHashable($0.id) } }, dismiss: { item.wrappedValue = nil },
                onDismiss: onDismiss, isFullScreen: isFullScreen, content: { item.wrappedValue.map(content) },
            )
        )
    }

    /// Presents a sheet, as a popover on a phone is one.
    public func popover<Content: View>(
        isPresented: Binding<Bool>, @ViewBuilder content: @escaping () -> Content,
    ) -> some View {
        sheet(isPresented: isPresented, content: content)
    }

    /// Prevents the user from swiping the sheet away.
    public func interactiveDismissDisabled(_ isDisabled: Bool = true) -> some View {
        modifier(SheetPreferenceModifier { $0.staysUp = $0.staysUp || isDisabled })
    }

    public func presentationDetents(_ detents: Set<PresentationDetent>) -> some View {
        modifier(SheetPreferenceModifier { $0.detents = Self.names(detents) })
    }

    /// Sets the heights of the sheet, and the one that it has.
    ///
    /// Partly: The user cannot drag a sheet to another height.
    public func presentationDetents(
        _ detents: Set<PresentationDetent>, selection: Binding<PresentationDetent>,
    ) -> some View {
        let chosen = selection.wrappedValue
        return modifier(
            SheetPreferenceModifier {
                $0.detents = [chosen.name] + Self.names(detents.subtracting([chosen]))
            })
    }

    /// The names of the heights, the lowest first.
    private static func names(_ detents: Set<PresentationDetent>) -> [String] {
        detents.sorted { $0.order < $1.order }.map(\.name)
    }

    /// Shows or hides the indicator at the top of the sheet. By default a sheet with several detents has one.
    public func presentationDragIndicator(_ visibility: Visibility) -> some View {
        modifier(SheetPreferenceModifier { $0.dragIndicator = visibility })
    }
}
