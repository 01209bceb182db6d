import Astrolabe
import AstrolabeSessionReplay
import Foundation

/// Records of every kind with a text in them that nothing may keep once the user refuses.
struct CanaryRecords: Sendable {
    let telemetry: Telemetry
    let canary: String
    let storage: String

    /// Records, and returns when a frame of the replay is stored.
    func record() async {
        recordAtOnce()
        let sign = await Sign(text: canary)
        await MainActor.run { telemetry.replay.attach(sign) }
        // The limit only ends a test that would hang.
        let end = ContinuousClock.now + .seconds(60)
        while !isStored("astrolabe.replay"), ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(10)) }
        withExtendedLifetime(sign) {}
    }

    /// Records all but the replay.
    func recordAtOnce() {
        telemetry.setScreen(canary, id: canary)
        telemetry.setAttribute("demo.canary", canary)
        telemetry.addBreadcrumb(canary, category: "test")
        telemetry.logger("app").emit(canary, attributes: ["demo.canary": canary])
        telemetry.tracer("app").withSpan(canary) { $0.setAttribute("demo.canary", canary) }
        telemetry.meter("app").counter(canary).add(1, attributes: ["demo.canary": canary])
    }

    private func isStored(_ text: String) -> Bool {
        let names = FileManager.default.enumerator(atPath: storage)?.compactMap { $0 as? String } ?? []
        return names.contains { name in
            let file = try? Data(contentsOf: URL(fileURLWithPath: storage + "/" + name))
            return file?.firstRange(of: Data(text.utf8)) != nil
        }
    }

    /// The paths of the files that the process has open for writing, one a line.
    static var writtenFiles: String {
        let folder = "/proc/self/fd/"
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let paths = numbers.compactMap { number -> String? in
            guard let file = Int32(number), fcntl(file, F_GETFL) & O_ACCMODE != O_RDONLY else { return nil }
            return try? FileManager.default.destinationOfSymbolicLink(atPath: folder + number)
        }
        return paths.filter { $0.hasPrefix("/") && !$0.hasPrefix("/dev/") && !$0.hasPrefix("/proc/") }
            .joined(separator: "\n")
    }

    @MainActor
    private final class Sign: ReplaySource {
        let revision: Int? = 1
        private let text: String

        init(text: String) {
            self.text = text
        }

        func wireframe() -> Wireframe? {
            Wireframe(width: 393, height: 852, root: .init(id: 1, role: .text, text: text))
        }
    }
}
