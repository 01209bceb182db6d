// The app's own output. It is on the phone's page and in its log, and nowhere else.
extension PhoneSimulator {
    /// The number of lines that are kept.
    private static let linesKept = 200
    /// The time in which lines are gathered, so that an app that writes a lot does not fill the streams of the pages.
    private static let outputInterval = Duration.milliseconds(100)

    func wrote(_ lines: [String], launch: Int) {
        guard launch == app.launches else { return }
        let isFirst = unpublishedOutput.isEmpty
        output = Array((output + lines).suffix(Self.linesKept))
        unpublishedOutput = Array((unpublishedOutput + lines).suffix(Self.linesKept))
        guard isFirst else { return }
        Task {
            try? await Task.sleep(for: Self.outputInterval)
            publishOutput()
        }
    }

    private func publishOutput() {
        guard !unpublishedOutput.isEmpty else { return }
        publish(.output(unpublishedOutput))
        unpublishedOutput = []
    }
}
