/// A function and its place in the source.
package struct SourceFrame: Sendable, Hashable {
    /// The demangled name; empty if only a line is known.
    package let function: String
    /// The path as passed to the compiler; empty if there are no lines.
    package let file: String
    /// Counted from 1; 0 where unknown.
    package let line: Int
    /// Counted from 1; 0 where unknown.
    package let column: Int
    /// True if the compiler inlined this function into the next one.
    package let isInlined: Bool

    package init(function: String, file: String = "", line: Int = 0, column: Int = 0, isInlined: Bool = false) {
        self.function = function
        self.file = file
        self.line = line
        self.column = column
        self.isInlined = isInlined
    }
}

/// An address in a build.
package struct ImageAddress: Sendable, Hashable {
    package let buildID: BuildID
    /// The offset: the address minus the load bias for ELF, or minus the header's address for Mach-O.
    package let offset: UInt64

    package init(buildID: BuildID, offset: UInt64) {
        self.buildID = buildID
        self.offset = offset
    }
}

/// The result of symbolicating one address.
package enum SymbolResult: Sendable, Hashable {
    /// The frames, innermost first: inlined functions, then the function that was called.
    case frames([SourceFrame])
    /// The build's debug symbols do not cover the address.
    case unknownPlace
    /// The store has no debug symbols for the build.
    case unknownBuild
}
