import Hummingbird

/// The facts that a request carries through the middleware.
struct ShopRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    var correlation = Correlation()

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
    }
}
