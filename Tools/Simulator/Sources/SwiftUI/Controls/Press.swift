import ViewTree

/// The state of a control that the user can hold.
final class Press {
    fileprivate(set) var isPressed = false
}

extension ViewNode {
    /// The press of a control with a style of the app.
    var press: Press {
        if let press = storage as? Press { return press }
        let press = Press()
        storage = press
        return press
    }

    /// Accepts presses and releases, and returns the actions.
    func handlePresses() -> [ViewAction] {
        handle(.press) { self.setPressed(true) }
        handle(.release) { self.setPressed(false) }
        return [.press, .release]
    }

    /// Ends the press with a tap. If the tap came without a press, the style is first evaluated as pressed.
    func showTap() {
        if !press.isPressed {
            setPressed(true)
            graph.update(at: graph.now())
        }
        setPressed(false)
    }

    private func setPressed(_ isPressed: Bool) {
        guard press.isPressed != isPressed else { return }
        press.isPressed = isPressed
        graph.setNeedsUpdate(self)
    }
}
