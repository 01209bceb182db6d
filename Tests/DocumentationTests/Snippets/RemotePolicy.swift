import Astrolabe
import AstrolabeRemotePolicy
import Foundation

func followRemotePolicy(_ configuration: inout TelemetryConfiguration, url: URL, key: [UInt8]) {
    // snippet: remote-policy
    configuration.remotePolicy = RemotePolicyConfiguration(endpoint: url, publicKey: key)
    // snippet: end
}
