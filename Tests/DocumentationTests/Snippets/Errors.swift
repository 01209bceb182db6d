import Astrolabe
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct PhotoModel {
    let telemetry: Telemetry

    func upload(_ photo: Data) async throws {}
    func showRetryButton() {}

    func save(_ photo: Data) async {
        // snippet: handled-error
        do {
            try await upload(photo)
        } catch {
            telemetry.recordError(error, attributes: ["photo.size": photo.count])
            showRetryButton()
        }
        // snippet: end
    }

    func reportProblemButtonTapped() {
        // snippet: keep-recording
        telemetry.keepRecording(reason: "feedback")
        // snippet: end
    }

    func refused(_ error: any Error, _ response: HTTPURLResponse) {
        // snippet: error-group
        telemetry.recordError(error, group: "photo upload: \(response.statusCode)")
        // snippet: end
    }
}
