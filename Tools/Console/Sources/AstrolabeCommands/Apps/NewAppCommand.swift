import ArgumentParser
import Foundation

/// The command that writes a package with a small app for the simulated phone.
struct NewAppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new-app", abstract: "Write a small SwiftUI app that runs on the simulated phone.",
        discussion: """
            Writes a package with an app of two screens, a scenario, a backend of one file, and a GitHub Actions \
            workflow that runs the scenario on Linux. Docs/Guide/YourApp.md describes it.
            """)

    @Argument(help: "The app's name, which is also that of its module: a capital letter, then letters and digits.")
    var name: String

    @Option(help: "The folder to write, which must not exist or be empty. (default: NAME.swiftpm)")
    var folder: String?

    func validate() throws {
        guard name.wholeMatch(of: /[A-Z][A-Za-z0-9]{0,39}/) != nil else {
            throw ValidationError(
                "NAME: expected a capital letter, then letters and digits, such as Tally; found \(name)")
        }
    }

    func run() async throws {
        try await UserFacingErrors.run {
            guard let checkout = try RepositoryCheckout.current() else {
                throw DemoFailure("new-app needs a checkout of Astrolabe; run it with ./astrolabe new-app")
            }
            let path = folder ?? name + ".swiftpm"
            let target = URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL
            try AppTemplate(name: name, checkout: checkout.root.path).write(to: target)
            say(
                """
                Wrote \(target.path).

                Run the app, with its page and the console:
                  ./astrolabe demo --app \(path) --backend \(path)/Backend
                Run its scenario:
                  ./astrolabe simulate \(path)/Scenarios --app \(path) --backend \(path)/Backend
                """)
        }
    }
}

/// The files of a new app.
struct AppTemplate {
    let name: String
    /// The path of the checkout that the package depends on.
    let checkout: String

    /// The resources, and the path of the file that each becomes.
    private var files: [(resource: String, path: String)] {
        [
            ("Package.swift", "Package.swift"), ("README.md", "README.md"), ("gitignore", ".gitignore"),
            ("App.swift", "Sources/\(name)/\(name)App.swift"),
            ("ContentView.swift", "Sources/\(name)/ContentView.swift"),
            ("GreetingView.swift", "Sources/\(name)/GreetingView.swift"),
            ("greeting.json", "Backend/greeting.json"), ("scenario.yaml", "Scenarios/app.yaml"),
            ("workflow.yml", ".github/workflows/phone.yml"),
        ]
    }

    /// - Throws: `DemoFailure` if the folder is not empty, or an error of writing.
    func write(to folder: URL) throws {
        let manager = FileManager.default
        if let found = try? manager.contentsOfDirectory(atPath: folder.path), !found.isEmpty {
            throw DemoFailure("\(folder.path) is not empty. Name another folder with --folder.")
        }
        for (resource, path) in files {
            guard
                let source = Bundle.module.url(
                    forResource: resource, withExtension: "template", subdirectory: "AppTemplate")
            else { throw DemoFailure("the template has no \(resource); build astrolabe again") }
            let text = try String(contentsOf: source, encoding: .utf8)
                .replacingOccurrences(of: "__NAME__", with: name)
                .replacingOccurrences(of: "__CHECKOUT__", with: checkout)
            let file = folder.appendingPathComponent(path)
            try manager.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
    }
}
