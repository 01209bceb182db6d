/// The kind of a node of the view tree: what the node shows, arranges or changes.
///
/// `Docs/Internals/ViewHost.md` describes each kind, its properties and actions. The raw value is the name on the wire.
/// The page draws a kind with the renderer of the same name in `Assets/phone/kinds.js`.
package enum NodeKind: String, CaseIterable, Codable, Sendable {
    // The screen and the parts of it that have a fixed place.
    case window, content, layer, label, choices, message, buttons, header, footer, swipeActions, pageContent

    // Content without children.
    case text, image, spacer, divider, shape, color, placeholder

    // Containers.
    case hstack, vstack, zstack, grid, scroll, list, form, section, row
    case geometry, coordinateSpace, position

    // Controls.
    case button, link, textField, secureField, search, toggle, stepper, picker, progress, tapArea
    case slider, datePicker, colorPicker, menu, textEditor
    case holdArea, contextMenu, dragArea

    // Navigation and presentation.
    case navigation, columns, page, toolbarItem, tabs, tabPage, tabBar, tab, sheet, alert, dialog

    // Modifiers.
    case padding, frame, paint, border, clip, shadow, contentShape, background, overlay
    case opacity, offset, scale, rotation, blur, filter, redacted
    case fixedSize, aspectRatio, layoutPriority, zIndex, ignoresSafeArea, hidden

    /// A box around its children. A kind that this version does not know is read as a group.
    case group

    package init(from decoder: any Decoder) throws {
        let name = try decoder.singleValueContainer().decode(String.self)
        self = NodeKind(rawValue: name) ?? .group
    }
}
