/// Reads the screen for the session replay.
///
/// On Apple platforms the SDK reads UIKit views itself. An app that does its own drawing, such as a game, provides its
/// screen's contents as a list of ``ReplayArea``.
///
/// The recorder calls the source on the main actor, at most at the policy's frame rate, and only while it is recording.
@MainActor
package protocol ReplaySource: AnyObject {
    /// A number that changes with the screen's content; while it is the same, the wireframe is not read. `nil` if
    /// unknown, so that frames are compared.
    var revision: Int? { get }

    /// Returns what the screen shows now; `nil` if it shows nothing.
    func wireframe() -> Wireframe?
}
