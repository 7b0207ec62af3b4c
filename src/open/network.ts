/** Configures the proxy and the trusted certificates of the process. */
import { readAuthorities } from "../config/authorities.ts";
import { proxyExceptions, proxyOf, proxyRoute, shownProxy, type Proxy } from "../config/proxy.ts";
import type { Settings } from "../config/settings.ts";
import type { RequestPort } from "../core/base/ports.ts";
import { PortFailure, failureFacts } from "../model/transport.ts";
import type { Env } from "../config/paths.ts";

let appliedSettings = "";

/** Adds the proxy to the message of a connection that failed through it. */
function withProxyName(error: unknown, proxy: Proxy): unknown {
  const { kind, neverSent, system, obstacle, reason } = failureFacts(error);
  if (!neverSent || kind === "abort" || obstacle) return error;
  const words = `${reason} (through the proxy ${shownProxy(proxy)}, ${proxy.from})`;
  return new PortFailure(kind, words, neverSent, system);
}

/** Wraps a request port so that its failures name the proxy. */
export function requestThroughProxy(proxy: Proxy, request: RequestPort): RequestPort {
  return (options) =>
    request(options).catch((error: unknown) => {
      throw withProxyName(error, proxy);
    });
}

/** Configures Node's global agents: fetch uses them, HTTP, uploads and WebSockets use our own for tunnels. Throws `ConfigError`. */
export async function prepareNetwork(settings: Settings, env: Env): Promise<void> {
  const [http, https] = [proxyOf("http", settings, env), proxyOf("https", settings, env)];
  const requested = JSON.stringify([http, https, settings.caFile, env.NODE_USE_ENV_PROXY]);
  if (requested === appliedSettings) return;
  if (http || https || env.NODE_USE_ENV_PROXY) {
    const [agents, secure, { TunnelAgent }] = await Promise.all([
      import("node:http"),
      import("node:https"),
      import("./tunnel-agent.ts"),
    ]);
    agents.default.setGlobalProxyFromEnv({
      ...(http && { http_proxy: http.address }),
      ...(https && { https_proxy: https.address }),
      no_proxy: proxyExceptions(settings, env),
    });
    secure.default.globalAgent = new TunnelAgent(async (url) => (await proxyRoute(url, settings, env)).proxy);
  }
  if (settings.caFile !== "") {
    const authorities = await readAuthorities(settings.caFile);
    const { default: tls } = await import("node:tls");
    tls.setDefaultCACertificates([...tls.getCACertificates("default"), ...authorities]);
  }
  appliedSettings = requested;
}
