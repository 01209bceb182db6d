import Symbolication

/// A function on a stack and its place in the source.
struct StackSpot: Hashable {
    let name: String
    let file: String
    let line: Int

    var text: String {
        guard !file.isEmpty else { return name }
        let fileName = file.split(separator: "/").last.map(String.init) ?? file
        return "\(name) · \(fileName)\(line > 0 ? ":\(line)" : "")"
    }

    /// The app's functions on each of several stacks, innermost first, in three ways: those of its own source, all that
    /// have a name, and, without any name, the addresses.
    static func levels(of stacks: [[ReadFrame]]) -> [[[StackSpot]]] {
        let app = stacks.map { frames in
            let sure = frames.filter { !$0.frame.isGuess && $0.isApp }
            return sure.isEmpty ? frames.filter(\.isApp) : sure
        }
        func named(_ isIncluded: (ReadFrame, SourceFrame) -> Bool) -> [[StackSpot]] {
            app.map { frames in
                frames.flatMap { frame in
                    frame.sources.filter { !$0.function.isEmpty && isIncluded(frame, $0) }
                        .map { StackSpot(name: $0.function, file: $0.file, line: $0.line) }
                }
            }
        }
        let levels = [named { $0.isOwn($1) }, named { !$1.isRuntimeFailure }]
        guard levels[1].allSatisfy(\.isEmpty) else { return levels }
        return [app.map { $0.map { StackSpot(name: $0.address, file: "", line: 0) } }]
    }
}
