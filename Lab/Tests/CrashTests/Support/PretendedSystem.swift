import AstrolabeTestSupport
import Foundation

/// A system that has another version, or has started again, for one process and its files alone. The process runs in a
/// mount namespace of its own, in which other files hide those of the system.
struct PretendedSystem: Sendable {
    var version: String?
    var bootID: String?

    private static let versionFile = "/etc/os-release"
    private static let bootFile = "/proc/sys/kernel/random/boot_id"

    /// The command that runs another there.
    func command(_ command: [String], in folder: String) throws -> [String] {
        var files: [(text: String, place: String)] = []
        if let version { files.append(("ID=pretended\nVERSION_ID=\"\(version)\"\n", Self.versionFile)) }
        if let bootID { files.append((bootID + "\n", Self.bootFile)) }
        var mounts: [String] = []
        for (index, file) in files.enumerated() {
            let path = folder + "/pretended-\(index)"
            try Data(file.text.utf8).write(to: URL(fileURLWithPath: path))
            mounts.append("mount --bind '\(path)' \(file.place)")
        }
        let script = (mounts + ["exec \"$@\""]).joined(separator: " && ")
        // Who is not root may be it in a namespace, where the system lets them.
        let rights = getuid() == 0 ? ["--mount"] : ["--mount", "--map-root-user"]
        return ["/usr/bin/env", "unshare"] + rights + ["sh", "-c", script, "sh"] + command
    }

    /// Why this machine does not allow it; nil if it does.
    static let obstacle: String? = {
        let folder = TemporaryDirectory()
        let process = Process()
        let errors = Pipe()
        do {
            try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
            let system = PretendedSystem(version: "1", bootID: "2")
            let command = try system.command(["/usr/bin/env", "cat", bootFile], in: folder.path)
            process.executableURL = URL(fileURLWithPath: command[0])
            process.arguments = Array(command.dropFirst())
            process.standardOutput = FileHandle.nullDevice
            process.standardError = errors
            try process.run()
        } catch {
            return "\(error)"
        }
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationStatus == 0 ? nil : text.split(separator: "\n").joined(separator: "; ")
    }()
}
