/** Finds the outbox rows that a command names. */
import type { Core } from "../../core/core.ts";
import { CommandError } from "../base/define-command.ts";

export type Unsent = ReturnType<Core["unsent"]>[number];

/** Why the chat line does not have them. */
export const SCREEN_HAS_IT = "shows what waits beside the messages here";

/** Those that were named, else all. Throws `CommandError` (notFound) for an id that nothing waits for. */
export function meant(core: Core, ids: readonly string[] | undefined): Unsent[] {
  const rows = core.unsent();
  if (ids === undefined || ids.length === 0) return rows;
  for (const id of ids)
    if (!rows.some((row) => row.id === id))
      throw new CommandError("notFound", `Nothing waits for message ${id}.`, "parley outbox list");
  return rows.filter((row) => ids.includes(row.id));
}
