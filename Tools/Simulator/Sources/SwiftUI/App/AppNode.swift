/// An app as the root of the hierarchy, so that its state, objects and environment work like those of a view.
struct AppRoot<A: App>: View {
    var app: A

    var body: some View { AnyView(rootView(of: app.body)) }
}

@MainActor
func rootView<S: Scene>(of scene: S) -> any View {
    if let window = scene as? any RootScene { return window.root }
    return rootView(of: scene.body)
}

extension ViewHost {
    /// Runs an app in place of a view.
    package convenience init<A: App>(
        app: A, clock: any FrameClock = LiveFrameClock(), traits: DeviceTraits = DeviceTraits(),
        images: ImageLoader = .urlSession(),
        onIssue: @escaping @MainActor (RuntimeIssue) -> Void = ViewHost.reportIssue,
    ) {
        self.init(AppRoot(app: app), clock: clock, traits: traits, images: images, onIssue: onIssue)
    }
}
