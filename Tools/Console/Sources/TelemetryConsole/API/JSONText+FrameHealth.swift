import ConsoleModel
import Symbolication

extension JSONText {
    mutating func append(_ screen: SlowScreen) {
        object { text in
            text.append(screen.app)
            text.member("screen", screen.screen)
            text.member("late") { $0.append(screen.late) }
            if let all = screen.all { text.member("all") { $0.append(all) } }
            text.member(seconds: "longest", screen.longest)
            text.member(seconds: "period", screen.period)
            text.member("sessions", screen.sessions)
            text.member("lastUs", screen.lastUnixNano / 1_000)
            text.member("worstSessions") { $0.array(screen.worstSessions) { $0.append($1) } }
        }
    }

    /// The number of builds of one version that are listed.
    private static let buildsOfVersion = 5

    /// - Parameter markers: The releases of this version of the app, newest first.
    mutating func append(_ release: Release, _ markers: [ReleaseMarker]) {
        object { text in
            text.append(release.app)
            text.member("version", release.version)
            text.member("builds") { $0.array(markers.prefix(Self.buildsOfVersion)) { $0.append($1) } }
            text.member("sessions", release.sessions)
            text.member("crashedSessions", release.crashedSessions)
            text.member("users", release.users)
            text.member("crashedUsers", release.crashedUsers)
            text.member("crashes", release.crashes)
            text.member("hangs", release.hangs)
            text.member(seconds: "hangTime", release.hangTime)
            text.member("frames") { $0.append(release.frames) }
            text.member("firstUs", release.firstUnixNano / 1_000)
            text.member("lastUs", release.lastUnixNano / 1_000)
        }
    }

    /// Appends the members of an app.
    private mutating func append(_ app: AppPlatform) {
        member("service", app.service)
        member("platform", app.platform)
    }

    private mutating func append(_ counts: FrameCounts) {
        object { text in
            text.member("frames", counts.frames)
            text.member("slow", counts.slow)
            text.member("frozen", counts.frozen)
        }
    }
}
