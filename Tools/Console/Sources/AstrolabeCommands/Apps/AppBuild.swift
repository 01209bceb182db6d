import Foundation

/// Finds the executable of an app, and builds it if it is a package.
///
/// A package that depends on this checkout is built together with it, in its build folder, so that the SDK and the
/// stand-ins are compiled once for all apps. Any other package is built by itself.
struct AppBuild {
    /// The path of a package folder or an executable.
    let path: String
    /// The product to build; `nil` if the package has one executable.
    let product: String?

    /// - Throws: `DemoFailure` that says what was expected.
    func executable() async throws -> URL {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw DemoFailure("--app: no such file or folder: \(path)")
        }
        let url = URL(fileURLWithPath: path, isDirectory: isFolder.boolValue).standardizedFileURL
        guard isFolder.boolValue else {
            guard FileManager.default.isExecutableFile(atPath: url.path) else {
                throw DemoFailure("--app: \(path) cannot be executed. Expected a package folder or an executable.")
            }
            if let product { throw DemoFailure("--product \(product): --app is an executable, not a package") }
            return url
        }
        guard FileManager.default.fileExists(atPath: url.appendingPathComponent("Package.swift").path) else {
            throw DemoFailure(
                "--app: \(path) is not a package: it has no Package.swift. Expected a package folder or an executable.")
        }
        return try await build(url)
    }

    private func build(_ package: URL) async throws -> URL {
        let manifest = try await AppManifest.read(package)
        let product = try product(of: manifest)
        let checkout = try RepositoryCheckout.current()
        var arguments = ["build", "--product", product, "--configuration", checkout?.configuration ?? "debug"]
        // By its build id a crash finds the app's symbols.
        arguments += ["-Xlinker", "--build-id"]
        let scratch: URL
        if let checkout, manifest.dependsOnPackage(in: checkout.root) {
            scratch = checkout.root.appendingPathComponent(".build", isDirectory: true)
            let workspace = try checkout.workspace(with: package)
            arguments += ["--multiroot-data-file", workspace.path, "--scratch-path", scratch.path]
        } else {
            scratch = package.appendingPathComponent(".build", isDirectory: true)
            arguments += ["--package-path", package.path]
        }
        try await checkVersions(manifest, package, checkout)
        say("Building \(product) ...")
        let start = ContinuousClock.now
        guard try await SwiftTool.run(arguments) == 0 else {
            throw DemoFailure("\(product) does not build; see the errors above")
        }
        let seconds = Int((ContinuousClock.now - start) / .seconds(1))
        say("Built \(product) in \(seconds) s.")
        return scratch.appendingPathComponent(checkout?.configuration ?? "debug").appendingPathComponent(product)
    }

    /// Refuses what the app's iOS does not have yet, as Xcode does.
    ///
    /// - Throws: `DemoFailure` after the errors.
    private func checkVersions(_ manifest: AppManifest, _ package: URL, _ checkout: RepositoryCheckout?) async throws {
        guard let checkout, let version = manifest.iOS else { return }
        let script = checkout.root.appendingPathComponent("Scripts/app-versions")
        let folders = manifest.sourceFolders(in: package).filter { FileManager.default.fileExists(atPath: $0.path) }
        guard !folders.isEmpty else { return }
        guard try await SwiftTool.run(script, ["--ios", version] + folders.map(\.path)) == 0 else {
            throw DemoFailure(
                """
                The app uses what iOS \(version) lacks, which its Package.swift supports; see the errors above. \
                Raise the version, or ask for it by `if #available`.
                """)
        }
    }

    /// The executable product to build.
    private func product(of manifest: AppManifest) throws -> String {
        let names = manifest.executables
        let list = names.joined(separator: ", ")
        if let product {
            if names.contains(product) { return product }
            throw DemoFailure("--product: expected one of \(list); found \(product)")
        }
        guard let first = names.first else {
            throw DemoFailure("--app: \(path) has no executable product. The app is an executable target on Linux.")
        }
        guard names.count == 1 else {
            throw DemoFailure("--app: \(path) has several executables: \(list). Choose one with --product.")
        }
        return first
    }
}

/// The part of a package's manifest that matters for running its app.
struct AppManifest: Decodable {
    struct Named: Decodable {
        var name: String
        var type: Kind
        var targets: [String]?

        /// The type of a target is a word, that of a product an object such as `{"executable": null}`.
        enum Kind: Decodable {
            case executable, other

            init(from decoder: any Decoder) throws {
                if let word = try? decoder.singleValueContainer().decode(String.self) {
                    self = word == "executable" ? .executable : .other
                    return
                }
                let members = try decoder.container(keyedBy: Member.self)
                self = members.contains(.executable) ? .executable : .other
            }

            private enum Member: String, CodingKey { case executable }
        }
    }

    struct Target: Decodable {
        var name: String
        var type: Named.Kind
        var path: String?
    }

    struct Platform: Decodable {
        var platformName: String
        var version: String
    }

    struct Dependency: Decodable {
        struct Local: Decodable { var path: String }
        var fileSystem: [Local]?
    }

    var products: [Named]
    var targets: [Target]
    var dependencies: [Dependency]
    var platforms: [Platform]

    /// The oldest iOS that the package supports; `nil` if it names none.
    var iOS: String? { platforms.first { $0.platformName == "ios" }?.version }

    /// The folders of the targets' sources, without those of tests that have no path of their own.
    func sourceFolders(in package: URL) -> [URL] {
        targets.map { package.appendingPathComponent($0.path ?? "Sources/\($0.name)") }
    }

    /// The executable products, and the executable targets without a product.
    var executables: [String] {
        let named = products.filter { $0.type == .executable }
        let covered = Set(named.flatMap { $0.targets ?? [] })
        let bare = targets.filter { $0.type == .executable && !covered.contains($0.name) }
        return (named.map(\.name) + bare.map(\.name)).sorted()
    }

    /// Returns true if the package depends by path on a package below a folder.
    func dependsOnPackage(in folder: URL) -> Bool {
        let root = folder.resolvingSymlinksInPath().path
        let paths = dependencies.flatMap { $0.fileSystem ?? [] }.map(\.path)
        return paths.contains { path in
            let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            return resolved == root || resolved.hasPrefix(root + "/")
        }
    }

    /// - Throws: `DemoFailure` if SwiftPM cannot read the manifest. SwiftPM has printed the reason.
    static func read(_ package: URL) async throws -> AppManifest {
        let data = try await SwiftTool.output(["package", "--package-path", package.path, "dump-package"])
        do {
            return try JSONDecoder().decode(AppManifest.self, from: data)
        } catch {
            throw DemoFailure("--app: the manifest of \(package.path) cannot be read: \(error)")
        }
    }
}
