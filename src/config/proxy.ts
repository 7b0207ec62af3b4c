/** Decides which proxy requests use: the setting, else HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY. */
import { isLoopback } from "../model/loopback.ts";
import { ConfigError, type Settings } from "./settings.ts";
import type { Env } from "./paths.ts";

/** A proxy. Its address may contain a password: show it with `shownProxy` only. */
export interface Proxy {
  address: string;
  /** The setting or variable that names it. */
  from: string;
}

/** Loopback addresses in the syntax of NO_PROXY: they never use a proxy. */
const LOOPBACK = "localhost,127.0.0.1-127.255.255.255,127.0.0.1,::1,[::1]";

const variableNamed = (env: Env, name: string): string | undefined =>
  [name, name.toUpperCase()].find((candidate) => env[candidate]);

function check(address: string, from: string): Proxy {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === "")
    // The address is not repeated: it may hold a password.
    throw new ConfigError(`${from}: a proxy is an address such as http://proxy.example:3128.`);
  return { address: url.href, from };
}

/** The proxy for a protocol, before any exceptions by host. Throws `ConfigError`. */
export function proxyOf(
  protocol: "http" | "https",
  settings: Pick<Settings, "proxy">,
  env: Env,
): Proxy | undefined {
  if (settings.proxy === "none") return undefined;
  if (settings.proxy !== "") return check(settings.proxy, "the setting proxy");
  const name = variableNamed(env, `${protocol}_proxy`) ?? variableNamed(env, "all_proxy");
  if (name === undefined) return undefined;
  const text = env[name]!.trim();
  // Many people write `proxy.example:3128`.
  return check(text.includes("://") ? text : `http://${text}`, name);
}

/** Hosts reached without a proxy, in the syntax of NO_PROXY; the setting overrules the variable. */
export function proxyExceptions(settings: Pick<Settings, "proxy">, env: Env): string {
  const name = settings.proxy === "" ? variableNamed(env, "no_proxy") : undefined;
  return name === undefined ? LOOPBACK : `${env[name]},${LOOPBACK}`;
}

interface ProxyRoute {
  proxy?: Proxy;
  /** The choice in words, for people. */
  reason: string;
}

/** How one address is reached. `env` must be that of the process: the library that reads NO_PROXY uses it. */
export async function proxyRoute(
  url: string,
  settings: Pick<Settings, "proxy">,
  env: Env,
): Promise<ProxyRoute> {
  const { protocol, hostname } = new URL(url);
  if (isLoopback(hostname)) return { reason: "direct: the provider is on this machine" };
  if (settings.proxy === "none") return { reason: "direct: the setting proxy is none" };
  const proxy = proxyOf(protocol === "http:" ? "http" : "https", settings, env);
  if (!proxy) return { reason: "direct: no proxy is set" };
  if (settings.proxy === "") {
    const { getProxyForUrl } = await import("proxy-from-env");
    if (getProxyForUrl(url) === "") return { reason: "direct: NO_PROXY names the host" };
  }
  return { proxy, reason: `through the proxy ${shownProxy(proxy)} (${proxy.from})` };
}

/** Without name and password. */
export const shownProxy = ({ address }: Proxy): string => new URL(address).origin;
