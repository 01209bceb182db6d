extension AttributeKey {
    /// The build ID of the app's executable, by which symbolication finds its symbols.
    ///
    /// String, hexadecimal digits, such as `9f2b833506aa6973a92fde9733e6271f`. In development.
    public static let appBuildID = "app.build_id"

    /// The build number that the app's developers gave it: `CFBundleVersion`, or the version code of Android.
    ///
    /// String, such as `45`. Not in the conventions.
    package static let astrolabeAppBuildNumber = "astrolabe.app.build_number"

    /// This installation of the app on this device: random, kept over launches and updates, gone with the app.
    ///
    /// The conventions advise it in place of `device.id`, which names the person's device to every app.
    ///
    /// String, such as `2ab2916d-a51f-4ac8-80ee-45ac31a28092`. In development.
    public static let appInstallationID = "app.installation.id"

    /// One crash, by which reports of it that came twice are recognised.
    ///
    /// String, a UUID, such as `083d3d2d-9a0e-47f8-be3d-bc3c5538ba38`. In development.
    public static let appCrashID = "app.crash.id"

    /// The number of frames that were late in the period.
    ///
    /// Int, such as `9`. In development.
    public static let appJankFrameCount = "app.jank.frame_count"

    /// The span of time the late frames were counted over.
    ///
    /// Double, seconds, such as `1.0`. In development.
    public static let appJankPeriod = "app.jank.period"

    /// The least duration of a frame that counts: 0.0167 for a slow one, 0.7 for a frozen one.
    ///
    /// Double, seconds, such as `0.7`. In development.
    public static let appJankThreshold = "app.jank.threshold"

    /// The screen of the app, the same in every release.
    ///
    /// String, such as `AstronomyShop.ProductDetailView`. In development.
    public static let appScreenID = "app.screen.id"

    /// The screen's name as people call it.
    ///
    /// String, such as `ProductDetail`. In development.
    public static let appScreenName = "app.screen.name"

    /// The position of a tap, from the left.
    ///
    /// Int, pixels of the screen, such as `131`. In development.
    public static let appScreenCoordinateX = "app.screen.coordinate.x"

    /// The position of a tap, from the top.
    ///
    /// Int, pixels of the screen, such as `99`. In development.
    public static let appScreenCoordinateY = "app.screen.coordinate.y"

    /// The control of the app, the same in every release.
    ///
    /// String, such as `add_to_cart`. In development.
    public static let appWidgetID = "app.widget.id"

    /// The text of the control.
    ///
    /// String, such as `Add to Cart`. In development.
    public static let appWidgetName = "app.widget.name"
}
