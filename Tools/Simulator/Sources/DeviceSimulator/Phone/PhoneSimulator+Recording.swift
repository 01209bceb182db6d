import ViewTree

// A scenario from what a person does.
extension PhoneSimulator {
    /// Reinstalls the app, so that the scenario begins as one does, and records from then on.
    package func startRecording() async throws(PhoneError) {
        isRecording = false
        try await perform(.reinstall)
        recorder = ScenarioRecorder(app: configuration.appName, settings: settings)
        isRecording = true
        publishState()
    }

    /// Ends the recording. It can be read until the next one starts.
    package func stopRecording() {
        guard isRecording else { return }
        record { [screen = shownScreen] in $0.finish(on: screen) }
        isRecording = false
        publishState()
    }

    /// The recorded scenario so far; `nil` if nothing has been recorded.
    package var recording: String? { recorder?.yaml }

    /// Takes note of an action of the phone, if it records.
    func note(_ action: Scenario.Action) {
        record { [screen = shownScreen] in $0.note(action, on: screen) }
    }

    /// Changes the recording, if there is one now, and publishes a new number of steps.
    func record(_ change: (inout ScenarioRecorder) -> Void) {
        guard isRecording, var changed = recorder else { return }
        let count = changed.count
        change(&changed)
        recorder = changed
        if changed.count != count { publishState() }
    }

    /// The screen; `nil` if the app is not in the foreground.
    private var shownScreen: RenderedTree? { app.phase == .active ? screen : nil }
}
