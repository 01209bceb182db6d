import AstrolabeDeviceConditions
import AstronomyShop
import Foundation

/// The settings of the app, from the environment and from arguments, which take precedence.
struct AppSettings: Hashable, Sendable {
    /// The address of the shop's backend.
    var shop: URL
    /// The folder for the app's files; `nil` for the SDK's default.
    var storage: URL?
    /// The path of the device's socket; `nil` to run on this machine.
    var link: String?
    /// The phone that telemetry reports; `nil` for this machine.
    var phone: SimulatedPhone?

    /// Reads the settings. Throws an error that names the setting and the expected value.
    static func read(
        arguments: some Sequence<String>, environment: [String: String],
    ) throws(SettingsError) -> AppSettings {
        var values = environment.filter { !$0.value.isEmpty }
        var arguments = Array(arguments)[...]
        while let option = arguments.popFirst() {
            guard let setting = Setting.allCases.first(where: { $0.option == option }) else {
                throw SettingsError("\(option): expected one of the options below\n\n\(usage)")
            }
            guard let value = arguments.popFirst() else {
                throw SettingsError("\(option): expected \(setting.placeholder) after it")
            }
            values[setting.rawValue] = value
        }
        func value(_ setting: Setting) -> String? { values[setting.rawValue] }

        let shop = value(.shop) ?? "http://127.0.0.1:8080"
        guard let url = URL(string: shop), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            url.host?.isEmpty == false
        else {
            throw SettingsError(
                "\(Setting.shop.rawValue): expected an address such as http://127.0.0.1:8080; found \(shop)")
        }
        let link = value(.link)
        let model = value(.model)
        if let model, !model.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "," }) {
            throw SettingsError(
                "\(Setting.model.rawValue): expected an identifier such as iPhone17,3; found \(model)")
        }
        var phone =
            model.map { SimulatedPhone(identifier: $0, name: DeviceModelTable.name(of: $0)) }
            ?? (link == nil ? nil : .standard)
        if let system = value(.system) {
            guard let known = phone else {
                throw SettingsError(
                    "\(Setting.system.rawValue): expected \(Setting.model.rawValue) as well; found none")
            }
            phone = SimulatedPhone(identifier: known.identifier, name: known.name, system: system)
        }
        return AppSettings(
            shop: url, storage: value(.storage).map { URL(fileURLWithPath: $0, isDirectory: true) }, link: link,
            phone: phone,
        )
    }

    private enum Setting: String, CaseIterable {
        case shop = "ASTRONOMY_SHOP_URL"
        case storage = "ASTRONOMY_SHOP_STORAGE"
        case link = "ASTROLABE_DEVICE_LINK"
        case model = "ASTROLABE_DEVICE_MODEL"
        case system = "ASTROLABE_DEVICE_SYSTEM"

        var option: String {
            switch self {
            case .shop: "--shop"
            case .storage: "--storage"
            case .link: "--link"
            case .model: "--model"
            case .system: "--system"
            }
        }

        var placeholder: String {
            switch self {
            case .shop: "the address of the shop's backend"
            case .storage: "a folder for the app's files"
            case .link: "the path of a device's socket"
            case .model: "a model's identifier"
            case .system: "a version of iOS"
            }
        }
    }

    private static var usage: String {
        let options = Setting.allCases.map { setting in
            let option = setting.option.padding(toLength: 10, withPad: " ", startingAt: 0)
            return "  \(option) \(setting.placeholder); or \(setting.rawValue)"
        }
        return
            (["Usage: astronomy-shop [option value]..."] + options
            + ["Telemetry is sent to OTEL_EXPORTER_OTLP_ENDPOINT. Default: http://localhost:4318."])
            .joined(separator: "\n")
    }
}

/// An error in the settings.
struct SettingsError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
