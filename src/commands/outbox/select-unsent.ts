/** Finds outbox rows by message id. */
import type { Core } from "../../core/core.ts";
import { CommandError } from "../base/define-command.ts";

export type Unsent = ReturnType<Core["unsent"]>[number];

/** Why these commands are not in the chat line. */
export const SHOWN_ON_SCREEN = "shows what waits beside the messages here";

/** The named rows, or all. Throws `CommandError` (notFound) for an unknown id. */
export function selectUnsent(core: Core, ids: readonly string[] | undefined): Unsent[] {
  const rows = core.unsent();
  if (ids === undefined || ids.length === 0) return rows;
  for (const id of ids)
    if (!rows.some((row) => row.id === id))
      throw new CommandError("notFound", `Nothing waits for message ${id}.`, "parley outbox list");
  return rows.filter((row) => ids.includes(row.id));
}
