/** Decides which proxy requests use: the setting, else HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY. */
import type { Env } from "./load.ts";
import { isLoopback } from "../model/loopback.ts";
import { ConfigError, type Settings } from "./settings.ts";

/** The proxy of a kind of addresses. Its address may hold a password: only `shownProxy` is for people. */
export interface Proxy {
  address: string;
  /** The setting or variable that names it. */
  from: string;
}

/** This machine itself, in the spelling of NO_PROXY: what stays inside never goes through a proxy. */
const INSIDE = "localhost,127.0.0.1-127.255.255.255,127.0.0.1,::1,[::1]";

const either = (env: Env, name: string): string | undefined =>
  [name, name.toUpperCase()].find((one) => env[one]);

function check(address: string, from: string): Proxy {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === "")
    // The address is not repeated: it may hold a password.
    throw new ConfigError(`${from}: a proxy is an address such as http://proxy.example:3128.`);
  return { address: url.href, from };
}

/** The proxy for addresses of a protocol, hosts that are excepted not looked at. Throws `ConfigError`. */
export function proxyOf(
  protocol: "http" | "https",
  settings: Pick<Settings, "proxy">,
  env: Env,
): Proxy | undefined {
  if (settings.proxy === "none") return undefined;
  if (settings.proxy !== "") return check(settings.proxy, "the setting proxy");
  const name = either(env, `${protocol}_proxy`) ?? either(env, "all_proxy");
  if (name === undefined) return undefined;
  const text = env[name]!.trim();
  // `proxy.example:3128` is how many write it.
  return check(text.includes("://") ? text : `http://${text}`, name);
}

/** What is reached straight, in the spelling of NO_PROXY, which a setting overrules. */
export function exceptions(settings: Pick<Settings, "proxy">, env: Env): string {
  const name = settings.proxy === "" ? either(env, "no_proxy") : undefined;
  return name === undefined ? INSIDE : `${env[name]},${INSIDE}`;
}

interface ProxyRoute {
  proxy?: Proxy;
  /** In words, for people. */
  says: string;
}

/** The way to one address. `env` must be the process's own: the library that reads NO_PROXY looks there. */
export async function proxyRoute(
  url: string,
  settings: Pick<Settings, "proxy">,
  env: Env,
): Promise<ProxyRoute> {
  const { protocol, hostname } = new URL(url);
  if (isLoopback(hostname)) return { says: "straight: the provider is on this machine" };
  if (settings.proxy === "none") return { says: "straight: the setting proxy is none" };
  const proxy = proxyOf(protocol === "http:" ? "http" : "https", settings, env);
  if (!proxy) return { says: "straight: no proxy is set" };
  if (settings.proxy === "") {
    const { getProxyForUrl } = await import("proxy-from-env");
    if (getProxyForUrl(url) === "") return { says: "straight: NO_PROXY names the host" };
  }
  return { proxy, says: `through the proxy ${shownProxy(proxy)} (${proxy.from})` };
}

/** Without name and password. */
export const shownProxy = ({ address }: Proxy): string => new URL(address).origin;
