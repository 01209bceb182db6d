import AstrolabeSemantics
import AstrolabeTelemetryModel
import ConsoleModel
import Symbolication

/// A crash or hang report with unsymbolicated addresses.
///
/// The record is untrusted input. Invalid parts, and parts beyond the limits, are left out.
struct HealthReport {
    let threads: [Thread]
    /// The stacks of the main thread sampled during the hang.
    let samples: [Sample]
    /// The time between two samples in seconds.
    let sampleInterval: Double

    struct Image: Hashable {
        let name: String
        let buildID: BuildID?
        let isApp: Bool
    }

    struct Frame: Hashable {
        let image: Image?
        /// The offset in the image in bytes.
        let offset: UInt64
        /// The address as sent, for frames without an image.
        let address: String
        /// True if the frame was found by scanning the stack, so that it may be stale.
        let isGuess: Bool
        /// True if the address is a return address. The call is before it.
        let isReturn: Bool
    }

    struct Thread {
        let id: Int64
        let name: String
        let isCrashed: Bool
        let isMain: Bool
        let frames: [Frame]
    }

    struct Sample {
        /// The time since the start of the hang in seconds.
        let time: Double
        let frames: [Frame]
    }

    private static let imageLimit = 2_048
    private static let threadLimit = 512
    private static let frameLimit = 256
    private static let sampleLimit = 64
    private static let nameLimit = 200

    init(_ attributes: Attributes) {
        let images = (attributes[AttributeKey.astrolabeImages]?.elements ?? []).prefix(Self.imageLimit).map(Image.init)
        func frames(_ value: AttributeValue?) -> [Frame] {
            (value?.elements ?? []).prefix(Self.frameLimit).enumerated().compactMap { index, value in
                Frame(value, isReturn: index > 0, images: images)
            }
        }
        threads = (attributes[AttributeKey.astrolabeCrashThreads]?.elements ?? []).prefix(Self.threadLimit)
            .compactMap(\.members).map { thread in
                Thread(
                    id: thread["id"]?.intValue ?? 0,
                    name: String((thread["name"]?.stringValue ?? "").prefix(Self.nameLimit)),
                    isCrashed: thread["is_crashed"]?.isTrue ?? false,
                    isMain: thread["is_main"]?.isTrue ?? false,
                    frames: frames(thread["frames"]),
                )
            }
        samples = (attributes[AttributeKey.astrolabeHangSamples]?.elements ?? []).prefix(Self.sampleLimit)
            .compactMap(\.members).map { Sample(time: $0["time"]?.number ?? 0, frames: frames($0["frames"])) }
        let interval = attributes[AttributeKey.astrolabeHangSampleInterval]?.number ?? 0
        sampleInterval = interval > 0 ? interval : 1
    }
}

extension HealthReport.Image {
    fileprivate init(_ value: AttributeValue) {
        let members = value.members
        name = String((members?["name"]?.stringValue ?? "").prefix(200))
        buildID = members?["build_id"]?.stringValue.flatMap { BuildID($0) }
        isApp = members?["is_app"]?.isTrue ?? false
    }
}

extension HealthReport.Frame {
    fileprivate init?(_ value: AttributeValue, isReturn: Bool, images: [HealthReport.Image]) {
        guard let members = value.members else { return nil }
        let index = members["image"]?.intValue ?? -1
        image = images.indices.contains(Int(clamping: index)) ? images[Int(index)] : nil
        offset = UInt64(clamping: members["offset"]?.intValue ?? 0)
        address = String((members["address"]?.stringValue ?? "").prefix(20))
        isGuess = members["found"]?.stringValue == "scan"
        self.isReturn = isReturn
        guard image != nil || !address.isEmpty else { return nil }
    }

    /// The address to symbolicate.
    var place: ImageAddress? {
        guard let id = image?.buildID else { return nil }
        return ImageAddress(buildID: id, offset: isReturn && offset > 0 ? offset - 1 : offset)
    }
}
