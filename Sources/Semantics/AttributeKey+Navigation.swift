/// The user's way to a screen: by the app's own navigation, a link, a notification or another scene.
extension AttributeKey {
    /// The name of the screen that was left.
    ///
    /// String, such as `Cart`. Not in the conventions.
    package static let astrolabeNavigationFrom = "astrolabe.navigation.from"

    /// The cause of the navigation, in a word of the app.
    ///
    /// String, such as `deep link`. Not in the conventions.
    package static let astrolabeNavigationTrigger = "astrolabe.navigation.trigger"

    /// The duration of the navigation.
    ///
    /// Double, seconds, such as `0.35`. Not in the conventions.
    package static let astrolabeNavigationDuration = "astrolabe.navigation.duration"

    /// The source of the link: the app's own scheme, a universal link, or a word of the app.
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

    /// The user's action on the notification: `open`, `dismiss`, or the identifier of the app's action.
    ///
    /// String, such as `open`. Not in the conventions.
    package static let astrolabeNotificationAction = "astrolabe.notification.action"

    /// The origin of the notification: `remote` or `local`.
    ///
    /// String, such as `remote`. Not in the conventions.
    package static let astrolabeNotificationOrigin = "astrolabe.notification.origin"

    /// A hash of the scene's persistent identifier, made as that of ``astrolabeNotificationID``.
    ///
    /// String, hexadecimal digits, such as `af63dc4c8601ec8c`. Not in the conventions.
    package static let astrolabeSceneID = "astrolabe.scene.id"

    /// The new state of the scene: `connected`, `foreground`, `active`, `inactive`, `background` or `disconnected`.
    ///
    /// String, such as `active`. Not in the conventions.
    package static let astrolabeSceneState = "astrolabe.scene.state"
}
