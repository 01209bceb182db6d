#if canImport(Darwin)
import Darwin
import Foundation
#endif

/// The build of the operating system and the architecture of the processor, for the resource.
package struct SystemIdentity: Equatable, Sendable {
    /// Name, version and build in one line, for people. Empty if not known.
    package var description: String
    /// Empty if not known.
    package var buildID: String

    /// A value of `host.arch`; `nil` for an architecture without one.
    package static var architecture: String? {
        #if arch(arm64)
        "arm64"
        #elseif arch(x86_64)
        "amd64"
        #elseif arch(arm)
        "arm32"
        #elseif arch(i386)
        "x86"
        #else
        nil
        #endif
    }

    #if canImport(Darwin)
    /// That of this device.
    package static func current(of device: DeviceContext) -> SystemIdentity {
        let version = ProcessInfo.processInfo.operatingSystemVersionString
        return SystemIdentity(description: "\(device.osName) \(version)", buildID: build)
    }

    private static var build: String {
        var size = 0
        guard sysctlbyname("kern.osversion", nil, &size, nil, 0) == 0, size > 0 else { return "" }
        var bytes = [UInt8](repeating: 0, count: size)
        guard sysctlbyname("kern.osversion", &bytes, &size, nil, 0) == 0 else { return "" }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    #else
    /// That of this device.
    package static func current(of device: DeviceContext) -> SystemIdentity { SystemIdentity(tree: SystemTree()) }
    #endif

    /// Reads the identity of a Linux distribution.
    init(tree: SystemTree) {
        let release = LinuxDevice.fields(of: tree.text("/etc/os-release") ?? "")
        description = release["PRETTY_NAME"] ?? ""
        buildID = release["BUILD_ID"] ?? ""
    }

    private init(description: String, buildID: String) {
        self.description = description
        self.buildID = buildID
    }
}
