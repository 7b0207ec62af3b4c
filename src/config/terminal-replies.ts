/** Which terminals can be queried, and how the name they report is cleaned. */
import type { Env } from "./paths.ts";

/** Terminals that print unknown queries on the screen instead of ignoring them. */
export const printsQueries = (env: Env): boolean => /^(dumb|linux|cons\d+)/.test(env.TERM ?? "");

/** Name and version reported by a terminal: untrusted, so reduced to 80 printable characters. */
export const terminalName = (reported: string): string => reported.replace(/[^\x20-\x7e]/g, "").slice(0, 80);
