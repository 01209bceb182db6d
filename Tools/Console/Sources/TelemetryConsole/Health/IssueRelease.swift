import AstrolabeSemantics
import AstrolabeTelemetryModel
import ConsoleModel
import Symbolication

extension ReleaseMarkerFile {
    /// Returns the release that a crash or hang happened in, by the build ID of the app's executable.
    ///
    /// If no release has named that build, the version and the build number decide, unless they fit several commits.
    func marker(of record: IssueEvent, _ report: ReadReport) throws(ReleaseMarkerError) -> ReleaseMarker? {
        let frames = report.threads.flatMap(\.frames) + report.samples.flatMap(\.frames)
        let ids = Set(frames.compactMap { $0.frame.image?.isApp == true ? $0.frame.image?.buildID : nil })
        let markers = try markers()
        if let marker = markers.first(where: { !ids.isDisjoint(with: $0.builds) }) { return marker }
        let attributes = record.origin.attributes.merging(record.event.attributes)
        let service = attributes["service.name"]?.stringValue ?? ""
        let version = attributes["service.version"]?.stringValue ?? ""
        let build = attributes[AttributeKey.astrolabeAppBuildNumber]?.stringValue ?? ""
        let fitting = markers.filter { marker in
            marker.version == version && (marker.service.isEmpty || marker.service == service)
                && (marker.build.isEmpty || build.isEmpty || marker.build == build)
        }
        return Set(fitting.map(\.commit)).count == 1 ? fitting.first : nil
    }
}
