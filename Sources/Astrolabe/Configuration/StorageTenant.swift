import AstrolabePlatform
import Foundation

/// Whom the records in the storage folder are for, as the app named it.
struct StorageTenant: Sendable {
    private static let name = "tenant"
    /// Bytes of the name that count.
    private static let limit = 1_024

    let folder: URL

    private var path: String { folder.appendingPathComponent(Self.name).path }

    /// The tenant's name, as far as it counts; `nil` if none was stored.
    private var stored: [UInt8]? { try? PrivateFile(existing: path).read(Self.limit) }

    /// Makes the folder the tenant's: deletes what was recorded for another one, or for none.
    ///
    /// - Parameters:
    ///   - erase: Deletes what is stored, and returns what could not be deleted.
    ///   - report: Receives a line about what happened.
    /// - Throws: An error if the stored name cannot be read, or if something cannot be deleted, which must not be sent.
    func claim(
        for tenant: String, erase: () -> [String], report: (String) -> Void,
    ) throws(SystemError) {
        let name = Array(tenant.utf8.prefix(Self.limit))
        let stored = stored
        guard stored != name else { return }
        let files = PrivateFiles.names(in: folder.path)
        if stored == nil, files.contains(Self.name) { throw SystemError("read", path) }
        if files.contains("journal") {
            report(
                "The tenant has changed. What was stored for another one, and was not sent, is deleted: records, "
                    + "reports of crashes, the session and the installation id.")
        }
        if let name = erase().first {
            throw SystemError("delete what another tenant recorded:", folder.appendingPathComponent(name).path)
        }
        StorageFolder.prepare(folder)
        do throws(SystemError) {
            try PrivateFiles.replace(path, with: name)
        } catch {
            report("The tenant cannot be stored, so the next start deletes what this one stores: \(error)")
        }
    }
}

extension TelemetryPlace {
    /// The place of a run, without what was stored there before a consent or for another tenant.
    ///
    /// - Parameter since: When the user agreed after a refusal, in nanoseconds since 1970; 0 if never.
    static func claimed(
        by configuration: TelemetryConfiguration, store: ConsentStore, since: UInt64,
    ) throws(SystemError) -> TelemetryPlace {
        try store.claim(since: since, report: configuration.onDiagnostic)
        if let tenant = configuration.tenant {
            try StorageTenant(folder: configuration.folder).claim(
                for: tenant, erase: { store.erase(keepsMark: true) }, report: configuration.onDiagnostic, )
        }
        return TelemetryPlace(configuration)
    }
}
