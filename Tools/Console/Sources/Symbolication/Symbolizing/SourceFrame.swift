/// A function, and where in the source.
package struct SourceFrame: Sendable, Hashable {
    /// Demangled; empty where only a line is known.
    package let function: String
    /// As the compiler was given it; empty where there are no lines.
    package let file: String
    /// Counted from 1; 0 where unknown.
    package let line: Int
    /// Counted from 1; 0 where unknown.
    package let column: Int
    /// The compiler put this function into the next one.
    package let isInlined: Bool

    package init(function: String, file: String = "", line: Int = 0, column: Int = 0, isInlined: Bool = false) {
        self.function = function
        self.file = file
        self.line = line
        self.column = column
        self.isInlined = isInlined
    }
}

/// A place in a build.
package struct ImageAddress: Sendable, Hashable {
    package let buildID: BuildID
    /// ELF: the address less the load bias. Mach-O: the address less that of the header.
    package let offset: UInt64

    package init(buildID: BuildID, offset: UInt64) {
        self.buildID = buildID
        self.offset = offset
    }
}

/// What is known of a place in a build.
package enum SymbolAnswer: Sendable, Hashable {
    /// Innermost first: those the compiler inlined, then the one that was called.
    case frames([SourceFrame])
    /// The build's debug information does not cover the place.
    case unknownPlace
    /// The store has no debug information of the build.
    case unknownBuild
}
