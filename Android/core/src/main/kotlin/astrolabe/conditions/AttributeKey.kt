package astrolabe.conditions

/** The names of attributes, equal to those of the Swift SDK. */
public object AttributeKey {
    public const val APP_INSTALLATION_ID: String = "app.installation.id"
    public const val ASTROLABE_APP_BUILD_NUMBER: String = "astrolabe.app.build_number"
    public const val DEVICE_MANUFACTURER: String = "device.manufacturer"
    public const val DEVICE_MODEL_IDENTIFIER: String = "device.model.identifier"
    public const val DEVICE_MODEL_NAME: String = "device.model.name"
    public const val ERROR_TYPE: String = "error.type"
    public const val HTTP_REQUEST_METHOD: String = "http.request.method"
    public const val HTTP_RESPONSE_STATUS_CODE: String = "http.response.status_code"
    public const val NETWORK_CARRIER_NAME: String = "network.carrier.name"
    public const val NETWORK_CONNECTION_TYPE: String = "network.connection.type"
    public const val OS_NAME: String = "os.name"
    public const val OS_TYPE: String = "os.type"
    public const val OS_VERSION: String = "os.version"
    public const val SERVER_ADDRESS: String = "server.address"
    public const val SERVER_PORT: String = "server.port"
    public const val SERVICE_NAME: String = "service.name"
    public const val SERVICE_VERSION: String = "service.version"
    public const val SESSION_ID: String = "session.id"
    public const val SESSION_PREVIOUS_ID: String = "session.previous_id"
    public const val URL_FULL: String = "url.full"
}
