/** Restricts hooks to this machine, whatever address an app has set (specification/admin.md §12). */
import { isLoopback } from "../../model/loopback.ts";
import { hookAddress } from "../../wire/hook-address.ts";

/** A web address whose host is this machine. */
export function isOnThisMachine(text: string): boolean {
  const url = hookAddress(text);
  return url !== undefined && isLoopback(url.hostname);
}

/** Says of each host once that nobody calls it. */
export function onceForEachHost(warn: (sentence: string) => void): (url: string) => void {
  const told = new Set<string>();
  return (url) => {
    const { host } = new URL(url.replaceAll("{type}", "type"));
    if (told.has(host)) return;
    told.add(host);
    warn(`a hook leads to ${host}: it is kept and never called, because hooks lead to this machine only`);
  };
}
