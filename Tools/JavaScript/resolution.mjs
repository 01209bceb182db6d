// Finds modules as a page's server does: as modules without a `package.json`, and the folder `shared` in ServerSupport.

const shared = new URL("../ServerSupport/Sources/ServerSupport/Assets/shared/", import.meta.url);

export async function resolve(specifier, context, next) {
  if (specifier.startsWith("../shared/")) {
    return { url: new URL(specifier.slice("../shared/".length), shared).href, format: "module", shortCircuit: true };
  }
  const found = await next(specifier, context);
  return found.url.includes("/Assets/") ? { ...found, format: "module" } : found;
}
