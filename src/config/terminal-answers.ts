/** What may be asked of a terminal, and its name out of an answer. */
import type { Env } from "./load.ts";

/** Prints questions that it does not know, instead of leaving them unanswered. */
export const printsQuestions = (env: Env): boolean => /^(dumb|linux|cons\d+)/.test(env.TERM ?? "");

/** Name and version as a terminal says them: untrusted, so printable characters alone, and few. */
export const terminalName = (said: string): string => said.replace(/[^\x20-\x7e]/g, "").slice(0, 80);
