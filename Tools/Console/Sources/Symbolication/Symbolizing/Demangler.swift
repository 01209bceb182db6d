import Foundation

/// A C function of the Swift runtime. A runtime that is linked statically does not show it to `dlsym`.
///
/// `@_silgen_name` calls it with Swift's calling convention. On arm64 and x86-64 that passes these pointers and
/// integers, and returns the pointer, in the same registers as C's.
@_silgen_name("swift_demangle")
private func swiftDemangle(
    _ name: UnsafePointer<CChar>?, _ length: Int, _ buffer: UnsafeMutablePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ flags: UInt32,
) -> UnsafeMutablePointer<CChar>?

/// Demangles the names of Swift functions.
///
/// The toolchain's library returns `CartModel.add(_:)`. Without the library, the Swift runtime's demangler returns
/// `Shop.CartModel.add(Shop.Product) -> ()`. llvm-symbolizer demangles the names of other languages.
struct Demangler: Sendable {
    private let simplify: Simplify?

    private typealias Simplify = @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<CChar>?, Int) -> Int

    /// The maximum length of a name in bytes. Longer names stay mangled or are truncated.
    private static let limit = 4_096

    /// - Parameter library: The toolchain's libswiftDemangle, which stays loaded until the process ends.
    init(library: URL?) {
        let toolchain = library.flatMap { dlopen($0.path, RTLD_NOW | RTLD_LOCAL) }
        simplify = toolchain.flatMap { dlsym($0, "swift_demangle_getSimplifiedDemangledName") }
            .map { unsafeBitCast($0, to: Simplify.self) }
    }

    /// Returns the demangled name, or the same name if it is not a mangled Swift name.
    func name(_ mangled: String) -> String {
        guard Self.prefixes.contains(where: mangled.hasPrefix), mangled.utf8.count <= Self.limit else { return mangled }
        return Self.withoutNoise(simplified(mangled) ?? demangled(mangled) ?? mangled)
    }

    private func simplified(_ mangled: String) -> String? {
        guard let simplify else { return nil }
        var buffer = [CChar](repeating: 0, count: Self.limit)
        let length = buffer.withUnsafeMutableBufferPointer { simplify(mangled, $0.baseAddress, $0.count) }
        return length > 0 ? Self.text(buffer) : nil
    }

    private func demangled(_ mangled: String) -> String? {
        guard let result = swiftDemangle(mangled, mangled.utf8.count, nil, nil, 0) else { return nil }
        defer { free(result) }
        return String(String(cString: result).prefix(Self.limit))
    }

    private static func text(_ buffer: [CChar]) -> String {
        String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Removes the compiler's prefixes and suffixes, such as "specialized ", which do not identify the function.
    private static func withoutNoise(_ name: String) -> String {
        var name = Substring(name)
        var isShorter = true
        while isShorter {
            isShorter = false
            if let noise = noises.first(where: name.hasPrefix) {
                name = name.dropFirst(noise.count)
                isShorter = true
            } else if name.hasPrefix("("), let close = name.firstIndex(of: ")"),
                let noise = resumptions.first(where: name[name.index(after: close)...].hasPrefix),
                name[name.index(after: name.startIndex)..<close].allSatisfy(\.isNumber)
            {
                name = name[name.index(after: close)...].dropFirst(noise.count)
                isShorter = true
            }
        }
        return String(name)
    }

    private static let noises = [
        "generic specialization of ", "specialized ", "merged ", "outlined ", "partial apply for ",
        "reabstraction thunk helper for ",
    ]
    private static let resumptions = [
        " suspend resume partial function for ", " await resume partial function for ",
    ]
    private static let prefixes = ["$s", "_$s", "$S", "_$S", "_T0", "$e"]
}
