/** Closes the gap after a reconnect: loads pages backwards from the newest messages until they reach the loaded ones (D6). */
import type { ReplyOf } from "../../wire/endpoints/index.ts";
import { splitCid } from "../../wire/ids.ts";
import type { Message } from "../../wire/entities/message.ts";
import type { MessagePagination } from "../../wire/entities/query.ts";
import { ApiError } from "../../model/errors.ts";
import type { ChannelEntry } from "../../model/state.ts";
import { overlaps } from "./overlap.ts";
import type { RecoveryRun } from "./recovery-run.ts";
import { INPUT_ERROR } from "../../wire/errors.ts";

const PAGE = 100;
/** Pages per channel, and of all channels together, in one recovery. */
const MAX_PAGES = 10;
const MAX_PAGES_OF_ALL = 100;

type Pagination = MessagePagination & { limit: number };

/** Loads pages until the loaded messages or the start of the channel are reached: true; after too many pages false, and the gap stays visible. */
export async function backfill(
  run: RecoveryRun,
  cid: string,
  first: readonly Message[],
  held: ChannelEntry,
): Promise<boolean> {
  const { machine } = run.deps;
  const path = splitCid(cid);
  if (!path) return false;
  let oldest = first[0];
  for (let n = 0; oldest && n < MAX_PAGES && run.pagesWalked < MAX_PAGES_OF_ALL; n++) {
    run.pagesWalked += 1;
    const { id, created_at } = oldest as Message;
    const since = machine.revision();
    let pagination: Pagination = { id_lt: id, limit: PAGE };
    let reply = await pageBefore(run, path, pagination);
    if (reply === "gone") {
      pagination = { created_at_before: created_at, limit: PAGE };
      reply = await pageBefore(run, path, pagination);
    }
    if (reply === "gone") run.complete = false;
    if (!reply || reply === "gone") return false;
    const messages = reply.messages ?? [];
    const isOverlapping = overlaps(held, messages);
    recordOldest(run, cid, messages, PAGE);
    machine.apply({ kind: "page", cid, messages, pagination, since });
    if (isOverlapping || messages.length < PAGE) return true;
    oldest = messages[0];
  }
  return false;
}

/** Records the oldest message of a full page, before which there may be more. */
export function recordOldest(run: RecoveryRun, cid: string, page: readonly Message[], limit: number): void {
  if (page.length >= limit && page[0]) run.oldest.set(cid, page[0]);
  else run.oldest.delete(cid);
}

/** The page before; "gone" when the cursor message was hard deleted meanwhile. */
function pageBefore(
  run: RecoveryRun,
  path: { type: string; id: string },
  messages: Pagination,
): Promise<ReplyOf<"queryChannel"> | "gone" | undefined> {
  const { signal } = run;
  const body = { state: true, messages, members: { limit: 1 }, watchers: { limit: 1 } };
  return run.step("walk", () =>
    run.deps.call("queryChannel", { path, body, signal }).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === INPUT_ERROR) return "gone" as const;
      throw error;
    }),
  );
}
