/// Reads the screen for the replay: one for each way to draw.
///
/// On Apple's systems the SDK reads the views of UIKit by itself. An app that draws by itself, as a game does, says
/// what its screen shows:
///
///     telemetry.replay.attach(BoardSource(board))
///
/// It is asked on the main actor, at most as often as the policy's frame rate says, and not at all while nothing is
/// recorded.
@MainActor
public protocol ReplaySource: AnyObject {
    /// Counts what changes on the screen: while it stays the same, the wireframe is not asked for. `nil` where that is
    /// not known, so that it has to be compared.
    var revision: Int? { get }

    /// What the screen shows now; `nil` where there is nothing to see.
    func wireframe() -> Wireframe?
}
