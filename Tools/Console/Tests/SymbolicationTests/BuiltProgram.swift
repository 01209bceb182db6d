import Foundation
import Testing

@testable import Symbolication

/// A small Swift program built by the installed toolchain, and its functions as reported by `nm`.
///
/// The compiler runs once for each kind of build. Every test has a copy in a folder of its own.
struct BuiltProgram: Sendable {
    let folder: URL
    let file: URL

    enum Mode: String, Sendable, CaseIterable {
        case debug = "-Onone"
        case release = "-O"
    }

    /// Line numbers matter: `inner` divides in line 3, `outer` calls it in line 6, and `Cart.add` is in line 10.
    private static let source = """
        @inline(__always)
        func inner(_ value: Int, by divisor: Int) -> Int {
            value / divisor
        }
        @inline(never) public func outer(_ value: Int) -> Int {
            inner(value, by: CommandLine.arguments.count) + 1
        }
        public final class Cart {
            public var total = 0
            @inline(never) public func add(_ price: Int) { total += outer(price) }
        }
        let cart = Cart()
        cart.add(CommandLine.arguments.count)
        print(cart.total)
        """

    init(_ mode: Mode, buildID: Bool = true) throws {
        let built =
            switch (mode, buildID) {
            case (.debug, true): try Self.debug.get()
            case (.release, _): try Self.release.get()
            case (.debug, false): try Self.anonymous.get()
            }
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("symbols-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: built, to: folder)
        file = folder.appendingPathComponent("shop")
    }

    private static let debug = Result { try build(.debug, "--build-id") }
    private static let release = Result { try build(.release, "--build-id") }
    private static let anonymous = Result { try build(.debug, "--build-id=none") }

    /// Returns the folder with the source and the program.
    private static func build(_ mode: Mode, _ identification: String) throws -> URL {
        let folder = home.appendingPathComponent(mode.rawValue + identification)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try source.write(to: folder.appendingPathComponent("main.swift"), atomically: true, encoding: .utf8)
        _ = try run(
            ["swiftc", mode.rawValue, "-g", "main.swift", "-o", "shop", "-module-name", "Shop"]
                + ["-Xlinker", identification], in: folder)
        return folder
    }

    /// The folder of the builds, which is removed when the process ends.
    private static let home: URL = {
        atexit { try? FileManager.default.removeItem(at: BuiltProgram.home) }
        return FileManager.default.temporaryDirectory.appendingPathComponent("programs-\(UUID().uuidString)")
    }()

    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// Returns the address and size of a function by its linker name.
    func function(_ mangled: String) throws -> (address: UInt64, size: UInt64) {
        let line = try Self.run(["nm", "-S", file.path], in: folder).split(separator: "\n")
            .first { $0.hasSuffix(" " + mangled) }
        let words = try #require(line, "nm knows no \(mangled)").split(separator: " ")
        return (try #require(UInt64(words[0], radix: 16)), try #require(UInt64(words[1], radix: 16)))
    }

    static func run(_ words: [String], in folder: URL) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.currentDirectoryURL = folder
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(words.joined(separator: " ")) failed")
        return String(decoding: data, as: UTF8.self)
    }
}
