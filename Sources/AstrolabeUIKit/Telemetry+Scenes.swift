#if canImport(UIKit) && !os(watchOS)
public import Astrolabe
import Foundation
import UIKit

extension Telemetry {
    /// Records each change of a scene from now on, as the event `astrolabe.scene.change`.
    ///
    /// It is for apps with several windows: the state of the app as a whole is recorded without it. Call it once, for
    /// example after the start, and keep the result for as long as changes are to be recorded.
    @MainActor
    public func sceneRecording() -> SceneRecording {
        SceneRecording(self)
    }
}

/// Records changes of scenes for as long as it exists: see ``Astrolabe/Telemetry/sceneRecording()``.
public final class SceneRecording: Sendable {
    private let observers: Observers

    /// Tokens of the notification centre, which it may be given from any thread.
    private struct Observers: @unchecked Sendable {  // the tokens are immutable, and NotificationCenter is thread-safe
        var tokens: [any NSObjectProtocol]
    }

    @MainActor
    init(_ telemetry: Telemetry) {
        let states: [(Notification.Name, SceneState)] = [
            (UIScene.willConnectNotification, .connected), (UIScene.willEnterForegroundNotification, .foreground),
            (UIScene.didActivateNotification, .active), (UIScene.willDeactivateNotification, .inactive),
            (UIScene.didEnterBackgroundNotification, .background),
            (UIScene.didDisconnectNotification, .disconnected),
        ]
        let tokens = states.map { name, state in
            // The main queue, so that the block may ask the scene.
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { notification in
                guard let scene = notification.object as? UIScene else { return }
                MainActor.assumeIsolated {
                    telemetry.recordScene(state, identifier: scene.session.persistentIdentifier)
                }
            }
        }
        observers = Observers(tokens: tokens)
    }

    deinit {
        for token in observers.tokens { NotificationCenter.default.removeObserver(token) }
    }
}
#endif
