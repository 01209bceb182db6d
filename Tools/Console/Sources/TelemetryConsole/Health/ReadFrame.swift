import Symbolication

/// A frame with what debug information says of it.
struct ReadFrame: Hashable {
    let frame: HealthReport.Frame
    /// Innermost first, inlined functions before the one they were put into; empty where nothing is known.
    let sources: [SourceFrame]

    var isApp: Bool { frame.image?.isApp ?? false }

    /// Whether the app's own authors wrote the function: it is in the app's image, has a line, which what the compiler
    /// adds has not, and is not of a package the app depends on.
    func isOwn(_ source: SourceFrame) -> Bool {
        isApp && !source.isRuntimeFailure && source.line > 0 && !source.file.isEmpty
            && !Self.foreignFolders.contains(where: source.file.contains)
    }

    /// The image and the offset, where there are no symbols.
    var address: String {
        guard let image = frame.image else { return frame.address }
        return "\(image.name) + 0x\(String(frame.offset, radix: 16))"
    }

    /// Folders that package managers, and the builders of toolchains, keep others' sources in.
    private static let foreignFolders = [
        "/.build/checkouts/", "/SourcePackages/checkouts/", "/Pods/", "/swift/stdlib/", "/swift-project/",
    ]
}

/// A report with what debug information says of its frames.
struct ReadReport {
    let threads: [(thread: HealthReport.Thread, frames: [ReadFrame])]
    let samples: [(time: Double, frames: [ReadFrame])]
    let sampleInterval: Double
    /// Builds of the app that the symbol store lacks.
    let wanted: [(image: String, buildID: BuildID)]
    /// Images of the app that have no build id, so that no debug information can be found for them.
    let nameless: [String]
    /// Why nothing could be symbolicated, in one line.
    let failure: String?

    /// The stack that tells what the problem is: of the crashed thread, or of the main thread.
    var crashedFrames: [ReadFrame] {
        (threads.first { $0.thread.isCrashed } ?? threads.first)?.frames ?? []
    }

    /// Why a check of Swift's stopped the app, as in `Swift runtime failure: arithmetic overflow`.
    var runtimeFailure: String? {
        crashedFrames.first?.sources.first { $0.isRuntimeFailure }?.function
    }
}

extension SourceFrame {
    /// Not a function: the compiler gives each of its checks one of such a name, to tell of the check's reason.
    var isRuntimeFailure: Bool { function.hasPrefix("Swift runtime failure: ") }
}
