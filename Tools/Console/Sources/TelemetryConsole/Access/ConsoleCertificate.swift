/// The certificate chain and the private key of the console, both as PEM files.
package struct ConsoleCertificate: Sendable {
    package let certificatePath: String
    package let keyPath: String

    package init(certificatePath: String, keyPath: String) {
        self.certificatePath = certificatePath
        self.keyPath = keyPath
    }
}
