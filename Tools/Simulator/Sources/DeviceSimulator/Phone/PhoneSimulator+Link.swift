import AstrolabeDeviceConditions
import DeviceLink
import ViewTree

// Messages from the app.
extension PhoneSimulator {
    /// Handles the messages of one launch until its link closes.
    func handleMessages(of link: DeviceLinkEnd, launch: Int) async {
        for await message in link.messages {
            guard launch == app.launches, process != nil else { break }
            if self.link == nil {
                guard case .hello(let hello) = message else {
                    process?.kill(.fault("its first message was not hello"))
                    break
                }
                guard hello.version == LinkVersion.current else {
                    let versions =
                        "version \(hello.version) of the device link. Expected version \(LinkVersion.current)"
                    process?.kill(.fault("it uses \(versions)"))
                    break
                }
                begin(link)
            } else if self.link === link {
                receive(message, over: link)
            } else {
                // An app has only one link.
                break
            }
        }
        link.close()
        if launch == app.launches, self.link === link {
            self.link = nil
            cancelPending()
            await endApp(without: link, launch: launch)
        }
    }

    /// Kills an app without a link after the termination timeout.
    private func endApp(without link: DeviceLinkEnd, launch: Int) async {
        let process = process
        try? await Task.sleep(for: configuration.terminationTimeout)
        guard launch == app.launches, self.process === process else { return }
        let faults = link.malformedCount > 0 ? " after \(link.malformedCount) malformed messages" : ""
        process?.kill(.fault("its link to the phone is closed\(faults)"))
    }

    private func begin(_ link: DeviceLinkEnd) {
        self.link = link
        hasHello = true
        lifecycle = .active
        link.send(
            .begin(
                DeviceBegin(
                    conditions: settings.conditions(.launching), settings: settings.appearance,
                    clock: time.map { clock($0) })))
        link.send(.conditions(.init(lifecycle: .active)))
        for url in waitingURLs { link.send(.open(url)) }
        waitingURLs = []
    }

    private func receive(_ message: AppMessage, over link: DeviceLinkEnd) {
        switch message {
        case .hello: break
        case .screen(let tree):
            screen = tree
            publish(.screen(tree))
            if app.phase == .launching {
                app.phase = .active
                publishState()
            }
        case .patch(let patch):
            guard let next = screen.flatMap(patch.applied) else {
                link.send(.screen)
                return
            }
            screen = next
            publish(.patch(patch))
        case .outcome(let reply): settle(reply)
        case .resource(let reply): settle(reply)
        case .frames(let summary): publish(.frames(summary))
        case .status(let status):
            self.status = status
            publish(.status(status))
        case .clock(let uptime): settleClock(uptime)
        }
    }
}
