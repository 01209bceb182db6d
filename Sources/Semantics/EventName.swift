/// The names of events: log records whose `event_name` says what happened at one moment.
///
/// Each is documented by when it is emitted, what it carries, and where it stands in the conventions, in the words of
/// ``AttributeKey``.
public enum EventName {
    /// The app was ended by a signal or an uncaught exception.
    ///
    /// Emitted at the next start, from what the crashed run left behind. Carries ``AttributeKey/appCrashID``, the
    /// `exception.*` attributes, the crashed run's ``AttributeKey/sessionID``, and the crashed run's
    /// ``AttributeKey/appBuildID``, `astrolabe.app.build_number`, ``AttributeKey/serviceVersion``,
    /// ``AttributeKey/osName`` and ``AttributeKey/osVersion``, because the resource describes the run that reports it.
    /// In development.
    public static let appCrash = "app.crash"

    /// The main thread did not answer for a while.
    ///
    /// Emitted when it answers again, or at the next start where it never did. Carries
    /// `astrolabe.hang.duration` and the other `astrolabe.hang.*` attributes. Not in the conventions.
    public static let hang = "astrolabe.hang"

    /// An earlier run of the app has ended, for the reason that it carries.
    ///
    /// Emitted at the next start. Carries `astrolabe.run.end.reason` and the other `astrolabe.run.*`
    /// attributes. Not in the conventions.
    public static let runEnd = "astrolabe.run.end"

    /// The flight recorder was asked to send what it has of a session, or on a server of a trace.
    ///
    /// Emitted when the last record of the window was sent, a minute after the request. Carries
    /// `astrolabe.recorder.trigger`, ``AttributeKey/sessionID`` on a device, and the other `astrolabe.recorder.*`
    /// attributes. Not in the conventions.
    public static let recorderPromotion = "astrolabe.recorder.promotion"

    /// Frames took longer to draw than the screen allowed.
    ///
    /// Emitted at the end of a period in which at least one frame was late. Carries
    /// ``AttributeKey/appJankFrameCount``, ``AttributeKey/appJankPeriod`` and ``AttributeKey/appJankThreshold``.
    /// In development.
    public static let appJank = "app.jank"

    /// The screen was tapped, on a control or beside one.
    ///
    /// Emitted when the tap is complete. Carries ``AttributeKey/appScreenCoordinateX`` and
    /// ``AttributeKey/appScreenCoordinateY``. In development.
    public static let appScreenClick = "app.screen.click"

    /// A control of the app was tapped.
    ///
    /// Emitted when the tap is complete and before its action runs. Carries ``AttributeKey/appWidgetID`` and, where
    /// it is known, ``AttributeKey/appWidgetName``. In development.
    public static let appWidgetClick = "app.widget.click"

    /// A screen came into view: the compact form of view tracing.
    ///
    /// Emitted each time the screen appears, the first included. Carries ``AttributeKey/appScreenName``.
    /// Not in the conventions.
    public static let appScreenViewDidAppear = "app.screen.view_did_appear"

    /// The app went to the foreground or the background, became active or inactive, or is about to end.
    ///
    /// Emitted on the system's notification of it. Carries ``AttributeKey/iosAppState``. Before the end it also carries
    /// `session_duration_seconds` and `screens_visited`. In development.
    public static let deviceAppLifecycle = "device.app.lifecycle"

    /// The process was launched, by the user or by the system in the background.
    ///
    /// Emitted once at each start of the SDK, and never sampled out. Carries ``AttributeKey/iosAppState`` if the state
    /// is known by then. Not in the conventions.
    public static let appLaunched = "app.launched"

    /// A session began.
    ///
    /// Emitted before the first record of the session. Carries ``AttributeKey/sessionID``,
    /// `astrolabe.session.start_reason` and, unless it is the first on this installation,
    /// ``AttributeKey/sessionPreviousID``. In development.
    public static let sessionStart = "session.start"

    /// The app returned to the foreground within the limits of its session.
    ///
    /// Emitted before any other record of the return. Carries ``AttributeKey/sessionID`` and, unless it is the first
    /// on this installation, ``AttributeKey/sessionPreviousID``. Not in the conventions.
    public static let sessionResume = "session.resume"

    /// A session ended by inactivity, by age or by a reset.
    ///
    /// Emitted before the next session's ``sessionStart``, with the time of the end. Carries
    /// ``AttributeKey/sessionID``, `session_duration_seconds` and `screens_visited` of the session that ended and,
    /// unless it is the first on this installation, ``AttributeKey/sessionPreviousID``. In development.
    public static let sessionEnd = "session.end"

    /// The device's connection changed.
    ///
    /// Emitted when the type, the subtype or the carrier differs from the last that was seen. Carries
    /// ``AttributeKey/networkConnectionType`` and the other `network.*` attributes that are known.
    /// Not in the conventions.
    public static let networkChange = "network.change"

    /// A new decision of the policy on what is collected and how it is sent.
    ///
    /// Emitted after a change of the conditions that leads to something else. Carries
    /// `astrolabe.policy.mode` and the other `astrolabe.policy.*` attributes. Not in the conventions.
    public static let policyChange = "astrolabe.policy.change"

    /// The SDK came near to what it may use of the device, and collects less, or more again.
    ///
    /// Emitted with each step of the mode. Carries the `astrolabe.budget.*` attributes,
    /// `astrolabe.policy.mode` and `astrolabe.policy.previous_mode`. Not in the conventions.
    public static let budgetStep = "astrolabe.budget.step"

    /// The screen as a wireframe, or the changes on it.
    ///
    /// Emitted where the session replay is on and something changed since the last one. Carries the
    /// `astrolabe.replay.*` attributes. Not in the conventions.
    public static let replay = "astrolabe.replay"

    /// An error was recorded that did not end the app.
    ///
    /// Emitted where the error is caught; also the name of the span event or log record of `recordException`. Carries
    /// ``AttributeKey/exceptionType``, ``AttributeKey/exceptionMessage`` and, where it is known,
    /// ``AttributeKey/exceptionStacktrace``. One of `recordError` carries ``AttributeKey/astrolabeErrorGroup`` and the
    /// place of the call. Stable.
    public static let exception = "exception"

    /// A feature flag was read.
    ///
    /// Emitted on each evaluation. Carries ``AttributeKey/featureFlagKey`` and the other `feature_flag.*` attributes.
    /// In development.
    public static let featureFlagEvaluation = "feature_flag.evaluation"

    /// The app went from one screen to another.
    ///
    /// Emitted where the app says so. Carries ``AttributeKey/appScreenName`` of the new screen and the
    /// `astrolabe.navigation.*` attributes. Not in the conventions; named as the repository of client-side
    /// conventions names it.
    public static let appNavigationComplete = "app.navigation.complete"

    /// The user opened the app with a link.
    ///
    /// Emitted when the system hands over the link. Carries ``AttributeKey/urlScheme`` and, of the address,
    /// ``AttributeKey/urlTemplate`` or ``AttributeKey/urlFull``. Not in the conventions.
    public static let linkOpen = "astrolabe.link.open"

    /// The user acted on a notification.
    ///
    /// Emitted when the system hands over the action. Carries the `astrolabe.notification.*` attributes, and never the
    /// text of the notification. Not in the conventions.
    public static let notificationOpen = "astrolabe.notification.open"

    /// A scene, which is a window of the app, changed its state.
    ///
    /// Emitted on the system's notification of it. Carries `astrolabe.scene.id` and `astrolabe.scene.state`. Not in the
    /// conventions.
    public static let sceneChange = "astrolabe.scene.change"
}
