import AstrolabePlatform
import AstrolabeSemantics
import AstrolabeTelemetryModel
import FleetSimulator

/// A phone of the fleet at a moment. The same number gives the same phone.
struct Phone {
    let installation: String
    let handset: Handset
    let system: String
    let market: Market
    let locale: String
    let currency: String
    let carrier: String
    let release: AppRelease

    init(_ number: Int, _ settings: HistorySettings, at time: UInt64) {
        var chance = SeededRandom(seed: settings.seed, stream: .person, device: number)
        installation = IDGenerator(
            firstSeed: settings.seed ^ settings.end, secondSeed: UInt64(number) | 1 << 40,
        ).nextUUID()
        var place = FleetPlace(number: number, seed: settings.seed)
        handset = place.system.pick(Handset.all) ?? Handset.all[0].0
        system = place.system.pick(handset.systems) ?? handset.systems[0].0
        market = place.market.pick(Market.all) ?? Market.all[0].0
        currency = place.market.happens(market.francs) ? "CHF" : market.currency
        locale = chance.pick(market.locales) ?? market.locales[0].0
        carrier = chance.pick(market.carriers) ?? market.carriers[0].0
        let hours = Double(settings.end - time) / 3_600e9
        release = AppRelease(rank: place.release.rest, hoursBeforeEnd: hours)
    }

    var breaksCheckout: Bool { release.breaksCheckout(currency: currency, system: system) }

    /// The phone's resource, as `Telemetry.start` sets it.
    var resource: Resource {
        Resource(attributes: [
            AttributeKey.serviceName: "astronomy-shop", AttributeKey.serviceVersion: release.rawValue,
            AttributeKey.astrolabeAppBuildNumber: release.buildNumber, AttributeKey.appInstallationID: installation,
            AttributeKey.deviceManufacturer: "Apple",
            AttributeKey.deviceModelIdentifier: handset.identifier,
            AttributeKey.deviceModelName: handset.name, AttributeKey.osName: "iOS",
            AttributeKey.osType: "darwin", AttributeKey.osVersion: system,
            "astrolabe.device.locale": locale, "astrolabe.device.timezone": market.timeZone,
            "astrolabe.device.physical_memory_gb": handset.memory,
            AttributeKey.telemetrySDKName: "astrolabe", AttributeKey.telemetrySDKLanguage: "swift",
            Synthetic.key: true,
        ])
    }
}

/// The mark of records that no app made.
package enum Synthetic {
    /// The resource attribute of every record of a history.
    package static let key = "astrolabe.synthetic"
}
