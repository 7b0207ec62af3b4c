/** Waits for an import to end. */
import type { ImportTask } from "../../wire/entities/import.ts";
import { CommandError, type Args, type Call } from "../base/define-command.ts";
import { pollUntil } from "../base/poll-task.ts";

const ENDED_STATES = new Set(["analyze_failed", "completed", "failed"]);

/** Throws `CommandError`: rejected for an invalid file, failed when storing failed, pending when the time is up. */
export async function waitForImport(
  call: Pick<Call<Args>, "core" | "signal" | "progress" | "now">,
  id: string,
  within: string | undefined,
): Promise<ImportTask> {
  let last: ImportTask | undefined;
  const poll = async (): Promise<ImportTask> =>
    (await call.core.call("getImport", { path: { id } })).import_task;
  for await (const task of pollUntil(call, { within, again: `parley import wait ${id}` }, poll, ({ state }) =>
    ENDED_STATES.has(state),
  )) {
    last = task;
    call.progress(ENDED_STATES.has(task.state) ? 1 : 0, 1, task.state.replaceAll("_", " "));
  }
  const { state, result } = last!;
  if (state === "completed") return last!;
  const errors = result?.errors ?? [];
  const messages = errors.slice(0, 3).map(({ error }) => error);
  throw new CommandError(
    state === "analyze_failed" ? "rejected" : "failed",
    `The import has ${errors.length} ${errors.length === 1 ? "error" : "errors"}: ${messages.join("; ")}`,
    `parley import get ${id} --jq .result.errors`,
  );
}
