import Symbolication

/// Symbolicates all addresses of a report in one request.
struct ReportReader: Sendable {
    let symbolizer: Symbolizer

    func read(_ report: HealthReport) async -> ReadReport {
        let frames = report.threads.flatMap(\.frames) + report.samples.flatMap(\.frames)
        let places = Set(frames.compactMap(\.place)).sorted {
            ($0.buildID.hex, $0.offset) < ($1.buildID.hex, $1.offset)
        }
        var responses: [ImageAddress: SymbolResult] = [:]
        var failure: String?
        do {
            for (place, response) in zip(places, try await symbolizer.symbolize(places)) { responses[place] = response }
        } catch {
            failure = "\(error)"
        }
        func read(_ frames: [HealthReport.Frame]) -> [ReadFrame] {
            frames.map { frame in
                guard let place = frame.place, case .frames(let sources)? = responses[place] else {
                    return ReadFrame(frame: frame, sources: [])
                }
                return ReadFrame(frame: frame, sources: sources)
            }
        }
        var wanted: [BuildID: String] = [:]
        var nameless: Set<String> = []
        for frame in frames {
            guard let image = frame.image, image.isApp else { continue }
            guard let place = frame.place else {
                nameless.insert(image.name)
                continue
            }
            if failure != nil || responses[place] == .unknownBuild { wanted[place.buildID] = image.name }
        }
        return ReadReport(
            threads: report.threads.map { ($0, read($0.frames)) },
            samples: report.samples.map { ($0.time, read($0.frames)) },
            sampleInterval: report.sampleInterval,
            wanted: wanted.sorted { $0.key.hex < $1.key.hex }.map { (image: $0.value, buildID: $0.key) },
            nameless: nameless.sorted(),
            failure: failure,
        )
    }
}
