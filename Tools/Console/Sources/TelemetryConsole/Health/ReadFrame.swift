import Symbolication

/// A symbolicated stack frame.
struct ReadFrame: Hashable {
    let frame: HealthReport.Frame
    /// The source frames, innermost first: inlined functions, then their caller. Empty if nothing is known.
    let sources: [SourceFrame]

    var isApp: Bool { frame.image?.isApp ?? false }

    /// Returns true if the function is part of the app's own source.
    ///
    /// It is in the app's image and has a line, which compiler-generated code does not have. It is neither in a
    /// dependency nor in a header of the toolchain, whose functions are inlined into the app's.
    func isOwn(_ source: SourceFrame) -> Bool {
        isApp && !source.isRuntimeFailure && source.line > 0 && !source.file.isEmpty
            && !Self.foreignFolders.contains(where: source.file.contains)
    }

    /// The image and the offset, for frames without symbols.
    var address: String {
        guard let image = frame.image else { return frame.address }
        return "\(image.name) + 0x\(String(frame.offset, radix: 16))"
    }

    /// The folders in which package managers and toolchains keep third-party sources, and that of SwiftUI on Linux.
    private static let foreignFolders = [
        "/.build/checkouts/", "/SourcePackages/checkouts/", "/Pods/", "/swift/stdlib/", "/swift-project/",
        "/lib/swift/", "/Tools/Simulator/Sources/",
    ]
}

/// A symbolicated report.
struct ReadReport {
    let threads: [(thread: HealthReport.Thread, frames: [ReadFrame])]
    let samples: [(time: Double, frames: [ReadFrame])]
    let sampleInterval: Double
    /// The builds of the app without symbols in the store.
    let wanted: [(image: String, buildID: BuildID)]
    /// The images of the app without a build ID, which cannot be symbolicated.
    let nameless: [String]
    /// The reason why symbolication failed, in one line.
    let failure: String?

    /// The stack that identifies the crash or hang: that of the crashed thread, or of the main thread.
    var crashedFrames: [ReadFrame] {
        (threads.first { $0.thread.isCrashed } ?? threads.first)?.frames ?? []
    }

    /// The reason of a Swift runtime check that stopped the app, as in `Swift runtime failure: arithmetic overflow`.
    var runtimeFailure: String? {
        crashedFrames.first?.sources.first { $0.isRuntimeFailure }?.function
    }
}

extension SourceFrame {
    /// True if the frame is an artificial function that the compiler adds to name a failed runtime check.
    var isRuntimeFailure: Bool { function.hasPrefix("Swift runtime failure: ") }
}
