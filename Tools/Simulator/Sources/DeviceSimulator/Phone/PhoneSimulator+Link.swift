import AstrolabeDeviceConditions
import DeviceLink
import ViewTree

// What the app says.
extension PhoneSimulator {
    /// Talks to the app for as long as it is there.
    func talk(over link: DeviceLinkEnd, launch: Int) async {
        for await message in link.messages {
            guard launch == app.launches, process != nil else { break }
            if self.link == nil {
                guard case .hello(let hello) = message else {
                    process?.kill(.fault("it did not begin with a hello"))
                    break
                }
                guard hello.version == LinkVersion.current else {
                    let versions = "version \(hello.version) of the device link, and the phone \(LinkVersion.current)"
                    process?.kill(.fault("it speaks \(versions)"))
                    break
                }
                begin(link)
            } else if self.link === link {
                receive(message, over: link)
            } else {
                // The app has one link.
                break
            }
        }
        link.close()
        if launch == app.launches, self.link === link {
            self.link = nil
            settleAll()
            await endApp(without: link, launch: launch)
        }
    }

    /// An app that has no link is nobody's: it has the time of one that is asked to end.
    private func endApp(without link: DeviceLinkEnd, launch: Int) async {
        let process = process
        try? await Task.sleep(for: configuration.endTime)
        guard launch == app.launches, self.process === process else { return }
        let faults = link.malformedCount > 0 ? ", after \(link.malformedCount) lines that are no message" : ""
        process?.kill(.fault("its link to the phone is closed\(faults)"))
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
