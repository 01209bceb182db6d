import Astrolabe
import SwiftUI

/// Notes of a night under the stars. Nothing in these files is about the simulated phone.
@main
struct FieldNotesApp: App {
    @StateObject private var notebook: Notebook

    init() {
        var configuration = TelemetryConfiguration(serviceName: "field-notes")
        configuration.serviceVersion = "1.0.0"
        let telemetry = Telemetry.start(configuration)
        _notebook = StateObject(wrappedValue: Notebook(telemetry))
    }

    var body: some Scene {
        WindowGroup {
            NoteListView(notebook: notebook)
        }
    }
}
