/** Sets the proxy and trusted certificates of the process once. */
import { readAuthorities } from "../config/authorities.ts";
import type { Env } from "../config/load.ts";
import { proxyExceptions, proxyOf, shownProxy, type Proxy } from "../config/proxy.ts";
import type { Settings } from "../config/settings.ts";
import type { RequestPort } from "../core/base/ports.ts";
import { PortFailure, failureFacts } from "../model/transport.ts";

let done = "";

/** A connection that never stood although a proxy should have made it: its failure names the proxy. */
function named(error: unknown, proxy: Proxy): unknown {
  const { kind, neverSent, system, obstacle, reason } = failureFacts(error);
  if (!neverSent || kind === "abort" || obstacle) return error;
  const words = `${reason} (by way of the proxy ${shownProxy(proxy)}, ${proxy.from})`;
  return new PortFailure(kind, words, neverSent, system);
}

/** The same port, whose failures name the proxy. */
export function requestBy(proxy: Proxy, request: RequestPort): RequestPort {
  return (what) =>
    request(what).catch((error: unknown) => {
      throw named(error, proxy);
    });
}

/** HTTP, uploads and WebSockets alike go by Node's own agents, which tunnel by themselves. Throws `ConfigError`. */
export async function prepareNetwork(settings: Settings, env: Env): Promise<void> {
  const [http, https] = [proxyOf("http", settings, env), proxyOf("https", settings, env)];
  const wanted = JSON.stringify([http, https, settings.caFile, env.NODE_USE_ENV_PROXY]);
  if (wanted === done) return;
  if (http || https || env.NODE_USE_ENV_PROXY) {
    const { default: agents } = await import("node:http");
    agents.setGlobalProxyFromEnv({
      ...(http && { http_proxy: http.address }),
      ...(https && { https_proxy: https.address }),
      no_proxy: proxyExceptions(settings, env),
    });
  }
  if (settings.caFile !== "") {
    const own = await readAuthorities(settings.caFile);
    const { default: tls } = await import("node:tls");
    tls.setDefaultCACertificates([...tls.getCACertificates("default"), ...own]);
  }
  done = wanted;
}
