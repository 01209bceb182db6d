import AppHost
import AstrolabeDeviceConditions
import DeviceLink
package import Foundation
import ViewTree

/// An app on a phone: its view host, with the phone's settings and lifecycle.
@MainActor
final class AppScreen: HostedScreen {
    private let host: ViewHost
    let firstFrame: Duration
    var onFrame: (@MainActor (HostedFrame) -> Void)?

    /// Installs the app's translations, creates the app and shows its first frame.
    ///
    /// - Throws: If a file of translations cannot be read.
    init<A: App>(_ type: A.Type, _ settings: DeviceSettings, _ lifecycle: LifecycleState) throws {
        let bundle = AppResources.bundle(ofModule: AppResources.module(of: type))
        Translations.install(try Translations(bundle ?? .main, locale: Locale(identifier: settings.locale)))
        ThisDevice.install(.of(settings))
        let app = A()
        let clock = ContinuousClock()
        let began = clock.now
        host = ViewHost(app: app, traits: DeviceTraits(settings, phase: ScenePhase(lifecycle)))
        firstFrame = clock.now - began
        host.onFrame = { [weak self] frame in
            self?.onFrame?(
                HostedFrame(
                    began: frame.began, promised: frame.promised, ended: frame.ended, missed: frame.missed))
        }
    }

    var tree: RenderedTree { host.tree }

    func send(_ event: ViewEvent) -> EventOutcome { host.send(event) }

    func image(_ name: String) -> ResourceReply? {
        host.resource(name).map { ResourceReply(name: name, type: $0.type, data: $0.data) }
    }

    func open(_ url: URL) { host.open(url) }

    func apply(_ settings: DeviceSettings) {
        ThisDevice.install(.of(settings))
        host.traits = DeviceTraits(settings, phase: host.traits.scenePhase)
    }

    func move(to lifecycle: LifecycleState) { host.traits.scenePhase = ScenePhase(lifecycle) }
}

/// The resources of an app, which SwiftPM puts beside its executable.
package enum AppResources {
    /// The module that declares a type.
    static func module(of type: Any.Type) -> String { String(String(reflecting: type).prefix { $0 != "." }) }

    /// The bundle of a module in `folder`, whose name is `package_Module.resources`; `nil` if there is none.
    package static func bundle(ofModule module: String, in folder: URL = executableFolder) -> Bundle? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let name = names.sorted().first { $0.hasSuffix("_\(module).resources") }
        return name.flatMap { Bundle(path: folder.appendingPathComponent($0).path) }
    }

    package static var executableFolder: URL {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    }
}

extension ScenePhase {
    init(_ lifecycle: LifecycleState) {
        switch lifecycle {
        case .active: self = .active
        case .launching, .inactive: self = .inactive
        case .background, .suspended, .terminated: self = .background
        }
    }
}

extension DeviceTraits {
    /// An unknown text size counts as the default.
    init(_ settings: DeviceSettings, phase: ScenePhase) {
        self.init()
        colorScheme = settings.isDark ? .dark : .light
        dynamicTypeSize = DynamicTypeSize(name: settings.textSize) ?? .large
        locale = Locale(identifier: settings.locale)
        timeZone = settings.timeZone.flatMap { TimeZone(identifier: $0) } ?? .current
        reduceMotion = settings.reducesMotion
        increasesContrast = settings.increasesContrast
        differentiatesWithoutColor = settings.differentiatesWithoutColor
        device = .of(settings)
        scenePhase = phase
    }
}
