/** Lists the user's drafts, newest first: those at the provider and those on this machine. */
import type { Core } from "../../core/core.ts";
import { DRAFTS_LIMIT } from "../../wire/constants.ts";
import type { Draft } from "../../wire/entities/draft.ts";
import { timeToMs } from "../../wire/time.ts";
import { byCursor, remainingPage } from "../base/lists/cursor.ts";
import { command, rowOf, type PageRequest } from "../base/define-command.ts";
import { cidOf } from "../base/resolve-channel.ts";
import { itemName } from "../../wire/reading.ts";

/** A draft and where it is stored. A local one has no id; `editing` is the message whose text is being edited. */
export interface ListedDraft extends Omit<Draft, "message"> {
  message: Draft["message"] | { text: string; quoted_message_id?: string };
  origin: "provider" | "machine";
  editing?: string;
}

/** Drafts of this profile on this machine, newest first, or the replaced ones. */
export function localDrafts(core: Core, cid: string | undefined, replaced = false): ListedDraft[] {
  return (replaced ? core.replacedDrafts() : core.drafts())
    .filter((draft) => cid === undefined || draft.cid === cid)
    .map(({ cid: channel_cid, parentId, text, quotedMessageId, editingId, updatedAt }) => ({
      channel_cid,
      ...(parentId !== undefined && { parent_id: parentId }),
      message: { text, ...(quotedMessageId !== undefined && { quoted_message_id: quotedMessageId }) },
      created_at: new Date(updatedAt).toISOString(),
      ...(editingId !== undefined && { editing: editingId }),
      origin: "machine",
    }));
}

async function* providerDrafts(
  core: Core,
  page: PageRequest,
  cid: string | undefined,
): AsyncIterable<ListedDraft> {
  const filter = cid === undefined ? {} : { channel_cid: cid };
  const drafts = byCursor(page, DRAFTS_LIMIT[1], itemName("drafts"), async (pageQuery, once) => {
    const reply = await core.call("queryDrafts", { body: { filter, ...pageQuery }, ...once });
    return { items: reply.drafts, next: reply.next };
  });
  for await (const draft of drafts) yield { ...draft, origin: "provider" };
}

const ORIGINS = { machine: "this machine", provider: "the provider" };

export default command({
  summary: "List your drafts, those of this machine too, newest first",
  changes: "nothing",
  chatAlias: "drafts",
  examples: [
    "draft list",
    "draft list -c messaging:ops --json=channel_cid,message.text,origin",
    "draft list --replaced --jq .message.text",
  ],
  aliases: ["ls"],
  args: {
    channel: { kind: "channel", short: "c", help: "Only drafts in this channel" },
    replaced: {
      kind: "flag",
      help: "Drafts that another Parley on this machine has replaced (the last 50)",
    },
  },
  needsStore: true,
  async *run(call): AsyncIterable<ListedDraft> {
    const { args, core, page } = call;
    const cid = args.channel === undefined ? undefined : await cidOf(call, args.channel);
    if (args.replaced) return yield* localDrafts(core, cid, true);
    // With --next, the local drafts were listed by the earlier run.
    const local = page.next === undefined ? localDrafts(core, cid) : [];
    for await (const draft of providerDrafts(core, remainingPage(page, local.length), cid)) {
      while (local[0] && timeToMs(local[0].created_at) >= timeToMs(draft.created_at)) yield local.shift()!;
      yield draft;
    }
    yield* local;
  },
  show: (draft) =>
    rowOf(draft, {
      channel: "channel_cid",
      thread: "parent_id",
      text: "message.text",
      saved: "created_at",
      "kept by": { field: "origin", cell: ORIGINS[draft.origin] },
    }),
});
