import SwiftUI

// An app with a form: controls of all kinds, checks, and a confirmation.

struct Profile: Equatable {
    enum Plan: String, CaseIterable, Identifiable {
        case free, plus
        var id: Self { self }
    }

    var name = ""
    var email = ""
    var birthday = Date(timeIntervalSince1970: 946_684_800)
    var plan = Plan.free
    var guests = 1
    var volume = 0.5
    var wantsNews = false

    var problem: String? {
        if name.isEmpty { return "Enter a name." }
        return email.contains("@") ? nil : "Enter an e-mail address."
    }
}

struct ProfileView: View {
    private enum Field: Hashable { case name, email }

    @State private var profile = Profile()
    @State private var isSaved = false
    @FocusState private var field: Field?
    let save: (Profile) -> Void

    var body: some View {
        Form {
            Section {
                TextField("Name", text: $profile.name)
                    .focused($field, equals: .name)
                    .submitLabel(.next)
                    .textContentType(.name)
                    .accessibilityIdentifier("name")
                TextField("E-mail", text: $profile.email)
                    .focused($field, equals: .email)
                    .keyboardType(.emailAddress)
                    .textInputAutocapitalization(.never)
                    .autocorrectionDisabled()
                    .accessibilityIdentifier("email")
                DatePicker("Birthday", selection: $profile.birthday, displayedComponents: .date)
            } header: {
                Text("You")
            } footer: {
                if let problem = profile.problem { Text(problem).foregroundColor(.red) }
            }
            .onSubmit { if field == .name { field = .email } }
            Section("Plan") {
                Picker("Plan", selection: $profile.plan) {
                    ForEach(Profile.Plan.allCases) { Text($0.rawValue.capitalized) }
                }
                .accessibilityIdentifier("plan")
                Stepper("Guests: \(profile.guests)", value: $profile.guests, in: 1...3).accessibilityIdentifier(
                    "guests")
                Slider(value: $profile.volume, in: 0...1) { Text("Volume") }.accessibilityIdentifier("volume")
                Toggle("News", isOn: $profile.wantsNews.animation()).accessibilityIdentifier("news")
                if profile.wantsNews { Text("Once a week.").font(.footnote) }
            }
            Button("Save") {
                save(profile)
                isSaved = true
            }
            .disabled(profile.problem != nil)
            .accessibilityIdentifier("save")
        }
        .onChange(of: profile.plan) { _, plan in if plan == .free { profile.guests = 1 } }
        .alert("Saved", isPresented: $isSaved) {
            Button("OK", role: .cancel) {}
        } message: {
            Text(profile.name)
        }
    }
}
