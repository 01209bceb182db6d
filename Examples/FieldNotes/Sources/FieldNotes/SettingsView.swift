import AstrolabeSwiftUI
import SwiftUI

struct SettingsView: View {
    @ObservedObject var notebook: Notebook
    @Environment(\.locale) private var locale

    var body: some View {
        Form {
            Toggle("Red light", isOn: $notebook.isRedLightOn).accessibilityIdentifier("red-light")
            Text(locale.identifier).accessibilityIdentifier("locale")
            Button("Crash the app", role: .destructive) { crash() }
                .accessibilityIdentifier("crash")
        }
        .navigationTitle("Settings")
        .traced("Settings")
    }

    private func crash() {
        fatalError("A demonstration")
    }
}
