#if canImport(UIKit) && !os(watchOS)
public import Astrolabe
import AstrolabeViewTracing
import Foundation
public import UIKit

extension UIControl {
    /// Records each tap on this control as the event `app.widget.click`, from now on.
    ///
    ///     payButton.traceTaps("pay")
    ///
    /// It adds an action to the control and changes nothing else. Actions run in the order in which they were added. A
    /// second call replaces the first. What the control says is not read, because it may be private.
    ///
    /// - Parameters:
    ///   - id: `app.widget.id`. Default the accessibility identifier, or the name of the class if there is none.
    ///   - name: `app.widget.name`; what the control says. Default none.
    ///   - events: What counts as a tap. Default `primaryActionTriggered`, which buttons, switches and sliders send.
    ///   - tracer: Default the shared telemetry's.
    public func traceTaps(
        _ id: String? = nil, name: String? = nil, for events: UIControl.Event = .primaryActionTriggered,
        tracer: ViewTracer = Telemetry.shared.views,
    ) {
        guard tracer.isEnabled else { return }
        let typeName = String(describing: classForCoder)
        let identifier = UIAction.Identifier(rawValue: "astrolabe.tap")
        let action = UIAction(title: "", identifier: identifier) { [weak self] _ in
            tracer.recordTap(
                id, accessibilityIdentifier: self?.accessibilityIdentifier, type: typeName, name: name)
        }
        addAction(action, for: events)
        TracedControls.all.add(self)
    }

    /// True if code of the app records this control's taps.
    package var isTracedByHand: Bool { TracedControls.all.contains(self) }
}

@MainActor
private enum TracedControls {
    static let all = NSHashTable<UIControl>.weakObjects()
}
#endif
