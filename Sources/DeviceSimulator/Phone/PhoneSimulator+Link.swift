import DeviceConditions
import DeviceLink
import ScreenTree

// What the app says.
extension PhoneSimulator {
    /// Talks to the app for as long as it is there.
    func talk(over link: DeviceLinkEnd, launch: Int) async {
        for await message in link.messages {
            guard launch == app.launches, process != nil else { break }
            if self.link == nil {
                guard case .hello(let hello) = message, hello.version == LinkVersion.current else { break }
                begin(link)
            } else {
                receive(message, over: link)
            }
        }
        link.close()
        if launch == app.launches, self.link === link {
            self.link = nil
            settleAll()
        }
    }

    private func begin(_ link: DeviceLinkEnd) {
        self.link = link
        lifecycle = .active
        link.send(.begin(DeviceBegin(conditions: settings.conditions(.launching), settings: settings.look)))
        link.send(.conditions(.init(lifecycle: .active)))
    }

    private func receive(_ message: AppMessage, over link: DeviceLinkEnd) {
        switch message {
        case .hello: break
        case .screen(let tree):
            screen = tree
            tell(.screen(tree))
            if app.phase == .launching {
                app.phase = .active
                tellState()
            }
        case .patch(let patch):
            guard let next = screen.flatMap(patch.applied) else {
                link.send(.screen)
                return
            }
            screen = next
            tell(.patch(patch))
        case .outcome(let reply): settle(reply)
        case .resource(let reply): settle(reply)
        case .frames(let summary): tell(.frames(summary))
        case .status(let status):
            self.status = status
            tell(.status(status))
        }
    }
}
