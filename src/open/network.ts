/** Sets, once for the process, how it leaves the machine: through which proxy, and whose certificates it trusts. */
import { readAuthorities } from "../config/authorities.ts";
import type { Env } from "../config/load.ts";
import { exceptions, proxyOf } from "../config/proxy.ts";
import type { Settings } from "../config/settings.ts";

let done = "";

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
      no_proxy: exceptions(settings, env),
    });
  }
  if (settings.caFile !== "") {
    const own = await readAuthorities(settings.caFile);
    const { default: tls } = await import("node:tls");
    tls.setDefaultCACertificates([...tls.getCACertificates("default"), ...own]);
  }
  done = wanted;
}
