/** Restricts hooks to addresses on this machine (specification/admin.md §12). */
import { isLoopback } from "../../model/loopback.ts";
import { hookAddress } from "../../wire/hook-address.ts";

export function isOnThisMachine(text: string): boolean {
  const url = hookAddress(text);
  return url !== undefined && isLoopback(url.hostname);
}

/** Warns once for each host that its hooks are never called. */
export function warnOncePerHost(warn: (sentence: string) => void): (url: string) => void {
  const warnedHosts = new Set<string>();
  return (url) => {
    const { host } = new URL(url.replaceAll("{type}", "type"));
    if (warnedHosts.has(host)) return;
    warnedHosts.add(host);
    warn(`a hook leads to ${host}: it is stored but never called, because hooks lead to this machine only`);
  };
}
