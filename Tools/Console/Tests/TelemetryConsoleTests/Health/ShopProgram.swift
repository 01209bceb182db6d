import AstrolabeTestSupport
import Foundation
import Testing

/// A tiny app built by the compiler, with the addresses of its functions as reported by `nm`.
///
/// The compiler runs once for each mode. Every test has a copy.
struct ShopProgram: Sendable {
    let folder: URL
    let file: URL
    let buildID: String
    private let symbols: [String: Int64]

    /// `CartModel.add` is in line 3, `check` in line 7, `burn` in line 10, `main`'s `start` in line 14.
    private static let source = """
        public final class CartModel {
            var quantity = 0
            @inline(never) public func add(_ count: Int) {
                quantity += check(count)
            }
        }
        @inline(never) public func check(_ count: Int) -> Int {
            burn(count) + count
        }
        @inline(never) public func burn(_ count: Int) -> Int {
            (0..<count).reduce(1, &*)
        }
        let cart = CartModel()
        @inline(never) public func start(_ count: Int) {
            cart.add(count)
        }
        start(CommandLine.arguments.count)
        """

    init(optimised: Bool = false) throws {
        let built = try optimised ? Self.optimised.get() : Self.plain.get()
        folder = TestFolders.folder("shop")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        file = folder.appendingPathComponent(built.file.lastPathComponent)
        try FileManager.default.copyItem(at: built.file, to: file)
        buildID = built.buildID
        symbols = built.symbols
    }

    private static let plain = Result { try Built("-Onone") }
    private static let optimised = Result { try Built("-O") }

    private struct Built: Sendable {
        let file: URL
        let buildID: String
        let symbols: [String: Int64]

        init(_ mode: String) throws {
            let folder = TestFolders.folder("built-shop")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(ShopProgram.source.utf8).write(to: folder.appendingPathComponent("main.swift"))
            file = folder.appendingPathComponent("astronomy-shop")
            _ = try ShopProgram.run(
                "swiftc", "-g", mode, "main.swift", "-module-name", "Shop", "-o", file.path, "-Xlinker", "--build-id",
                in: folder)
            let notes = try ShopProgram.run("readelf", "-n", file.path, in: folder)
            buildID = try #require(
                notes.split(whereSeparator: \.isWhitespace).first { $0.count >= 32 && $0.allSatisfy(\.isHexDigit) }
                    .map(String.init), "the linker wrote no build id")
            var symbols: [String: Int64] = [:]
            for line in try ShopProgram.run("nm", file.path, in: folder).split(separator: "\n") {
                let words = line.split(separator: " ")
                if words.count == 3 { symbols[String(words[2])] = Int64(words[0], radix: 16) }
            }
            self.symbols = symbols
        }
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    enum Function: String {
        case add = "$s4Shop9CartModelC3addyySiF"
        case check = "$s4Shop5checkyS2iF"
        case burn = "$s4Shop4burnyS2iF"
        case start = "$s4Shop5startyySiF"
    }

    func address(_ function: Function) throws -> Int64 {
        try #require(symbols[function.rawValue], "nm knows no \(function.rawValue)")
    }

    private static func run(_ words: String..., in folder: URL) throws -> String {
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
