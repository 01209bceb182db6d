#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
import Foundation
import UIKit

extension UIView {
    /// The role of the view, derived from its class.
    var replayRole: Wireframe.Role {
        switch self {
        case is UILabel: .text
        case is UIImageView: .image
        case let view as UITextView: view.isEditable ? .field : .text
        case is UITextField: .field
        case is UIPageControl: .icon
        case is UIProgressView, is UIActivityIndicatorView: .progress
        case is UISegmentedControl, is UIPickerView, is UIDatePicker: .picker
        case is UITableViewCell, is UICollectionViewCell: .cell
        case is UITableView, is UICollectionView: .list
        case is UIScrollView: .scroll
        case is UINavigationBar, is UITabBar, is UIToolbar, is UISearchBar: .bar
        case is UISwitch: .toggle
        case is UISlider: .slider
        case is UIStepper: .stepper
        case let stack as UIStackView: stack.axis == .vertical ? .column : .row
        case is UIControl: .button
        default: .group
        }
    }

    /// Adds the visible properties of the view except its position.
    func describe(_ node: inout Wireframe.Node) {
        if let color = backgroundColor { node.style.fill = Wireframe.Color(color, in: traitCollection) }
        if layer.cornerRadius > 0 { node.style.radius = Double(layer.cornerRadius) }
        if let control = self as? UIControl { node.isDimmed = !control.isEnabled }
        switch self {
        case let label as UILabel:
            node.text = label.text
            node.style.show(label.font, label.textColor, in: traitCollection)
        case let field as UITextField:
            node.hasContent = field.hasText
            node.style.show(field.font, field.textColor, in: traitCollection)
        case let view as UITextView:
            node.hasContent = view.isEditable && view.hasText
            if !view.isEditable { node.text = view.text }
            node.style.show(view.font, view.textColor, in: traitCollection)
        case let bar as UIProgressView: node.fraction = Double(bar.progress)
        case let toggle as UISwitch: node.isOn = toggle.isOn
        case let slider as UISlider where slider.maximumValue > slider.minimumValue:
            node.fraction = Double(
                (slider.value - slider.minimumValue) / (slider.maximumValue - slider.minimumValue))
        default: break
        }
    }
}

extension Wireframe.Style {
    fileprivate mutating func show(_ font: UIFont?, _ color: UIColor?, in traits: UITraitCollection) {
        fontSize = font.map { Double($0.pointSize) }
        isBold = font?.fontDescriptor.symbolicTraits.contains(.traitBold) == true
        ink = color.flatMap { Wireframe.Color($0, in: traits) }
    }
}

extension Wireframe.Color {
    /// Converts a color as it is currently drawn; `nil` for an invisible color or a pattern.
    fileprivate init?(_ color: UIColor, in traits: UITraitCollection) {
        var (red, green, blue, alpha): (CGFloat, CGFloat, CGFloat, CGFloat) = (0, 0, 0, 0)
        guard color.resolvedColor(with: traits).getRed(&red, green: &green, blue: &blue, alpha: &alpha), alpha > 0
        else { return nil }
        let digits = [red, green, blue].map { part in
            let byte = UInt8(min(max(part, 0), 1) * 255)
            return (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        let percent = Int((alpha * 100).rounded())
        self.init("#" + digits.joined() + (percent < 100 ? "/\(percent)" : ""))
    }
}
#endif
