import ArgumentParser
import DeviceSimulator
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The options that say which app runs on the phone.
struct AppOptions: ParsableArguments {
    @Option(help: "The app: a package folder, which is built first, or an executable. (default: the shop)")
    var app: String?

    @Option(help: "The executable product to run, if the package of --app has several.")
    var product: String?

    @Option(help: "The app's backend: an http:// address, or a folder whose files are served.")
    var backend: String?

    @Option(help: "The device: \(PhoneSettings.deviceNames.joined(separator: ", ")). (default: iphone-15-pro)")
    var device: String?

    @Option(help: "The seconds that the app has to say hello to the phone.")
    var helloTimeout = 10.0

    func validate() throws {
        if app == nil, product != nil { throw ValidationError("--product requires --app") }
        if let device, !PhoneSettings.deviceNames.contains(device) {
            let names = PhoneSettings.deviceNames.joined(separator: ", ")
            throw ValidationError("--device: expected one of \(names); found \(device)")
        }
        guard (0.1...600).contains(helloTimeout) else {
            throw ValidationError("--hello-timeout: expected 0.1 to 600 seconds, found \(helloTimeout)")
        }
    }

    /// The app's executable, built if `--app` is a package; `nil` without `--app`.
    ///
    /// - Throws: `DemoFailure` if there is no such app, or if it does not build.
    func executable() async throws -> URL? {
        guard let app else { return nil }
        return try await AppBuild(path: app, product: product).executable()
    }

    /// Starts the backend, if `--backend` is a folder.
    ///
    /// - Throws: `DemoFailure` if it is neither an address nor a folder.
    func startBackend() async throws -> AppBackend? {
        guard let backend else { return nil }
        return try await AppBackend(backend)
    }
}

/// The backend of an app on the phone, to which the phone relays the app's requests.
struct AppBackend: Sendable {
    let server: ServerAddress
    /// The path of the backend's address, such as "/api".
    let path: String
    private let folder: FolderBackend?

    /// A server on this machine.
    init(port: Int) {
        server = ServerAddress(port: port)
        path = ""
        folder = nil
    }

    /// - Parameter text: An HTTP address, or the path of a folder.
    init(_ text: String) async throws {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: text, isDirectory: &isFolder), isFolder.boolValue {
            let folder = try await FolderBackend(URL(fileURLWithPath: text, isDirectory: true))
            server = ServerAddress(port: folder.port)
            path = ""
            self.folder = folder
            return
        }
        guard let url = URL(string: text), url.scheme?.lowercased() == "http", let host = url.host, !host.isEmpty else {
            throw DemoFailure(
                "--backend: expected an address such as http://127.0.0.1:8080, or a folder; found \(text). "
                    + "The phone's network does not carry HTTPS to a backend.")
        }
        server = ServerAddress(host: host, port: url.port ?? 80)
        path = url.path == "/" ? "" : url.path
        folder = nil
    }

    func stop() { folder?.stop() }

    /// Sets flags, as the shop's backend takes them: the body of `PUT /flags`.
    ///
    /// - Throws: `DemoFailure` with the response of a backend that does not take them.
    func setFlags(_ json: Data) async throws {
        guard let url = URL(string: "http://\(server.host):\(server.port)\(path)/flags") else {
            throw DemoFailure("the backend has no address")
        }
        var request = URLRequest(url: url)
        request.httpMethod = "PUT"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = json
        let (data, response) = try await URLSession.shared.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard (200..<300).contains(status) else {
            throw DemoFailure("HTTP \(status) \(String(decoding: data.prefix(1_000), as: UTF8.self))")
        }
    }
}
