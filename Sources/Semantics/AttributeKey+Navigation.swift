/// How the user came to a screen: by the app's own navigation, a link, a notification or another scene.
extension AttributeKey {
    /// The name of the screen that was left.
    ///
    /// String, such as `Cart`. Not in the conventions.
    package static let astrolabeNavigationFrom = "astrolabe.navigation.from"

    /// What caused the navigation, in a word of the app.
    ///
    /// String, such as `deep link`. Not in the conventions.
    package static let astrolabeNavigationTrigger = "astrolabe.navigation.trigger"

    /// How long the navigation took.
    ///
    /// Double, seconds, such as `0.35`. Not in the conventions.
    package static let astrolabeNavigationDuration = "astrolabe.navigation.duration"

    /// How the link reached the app: by its own scheme, as a universal link, or a word of the app.
    ///
    /// String, such as `universal`. Not in the conventions.
    package static let astrolabeLinkSource = "astrolabe.link.source"

    /// A hash of the notification's identifier: 64 bits of FNV-1a over its UTF-8.
    ///
    /// String, hexadecimal digits, such as `af63dc4c8601ec8c`. Not in the conventions.
    package static let astrolabeNotificationID = "astrolabe.notification.id"

    /// The category of the notification, a constant of the app.
    ///
    /// String, such as `order_shipped`. Not in the conventions.
    package static let astrolabeNotificationCategory = "astrolabe.notification.category"

    /// What the user did with the notification: `open`, `dismiss`, or the identifier of the app's action.
    ///
    /// String, such as `open`. Not in the conventions.
    package static let astrolabeNotificationAction = "astrolabe.notification.action"

    /// Where the notification came from: `remote` or `local`.
    ///
    /// String, such as `remote`. Not in the conventions.
    package static let astrolabeNotificationOrigin = "astrolabe.notification.origin"

    /// A hash of the scene's persistent identifier, made as that of ``astrolabeNotificationID``.
    ///
    /// String, hexadecimal digits, such as `af63dc4c8601ec8c`. Not in the conventions.
    package static let astrolabeSceneID = "astrolabe.scene.id"

    /// What the scene has become: `connected`, `foreground`, `active`, `inactive`, `background` or `disconnected`.
    ///
    /// String, such as `active`. Not in the conventions.
    package static let astrolabeSceneState = "astrolabe.scene.state"
}
