/** How `set --file` reads and writes the drafts at the provider; those of this machine are known, and belong to their message box. */
import type { Core } from "../../core/core.ts";
import type { BodyOf } from "../../wire/endpoints/index.ts";
import type { Draft, DraftMessage } from "../../wire/entities/draft.ts";
import { splitCid } from "../../wire/ids.ts";
import type { PartialChange } from "../base/bulk/changed-fields.ts";
import { idOfSeveral } from "../base/bulk/given-records.ts";
import { oneAtATime, oneByOne, type Settable } from "../base/bulk/set-from-file.ts";
import { CommandError } from "../base/define-command.ts";
import { pathOf } from "../base/resolve-channel.ts";
import { setValue } from "../app/setting-changes.ts";
import { localDrafts, type ListedDraft } from "./list.ts";

const ID = idOfSeveral("channel_cid", "parent_id");

const isOnMachine = ({ origin }: { origin?: unknown }): boolean => origin === "machine";
const idOf = (draft: Readonly<Record<string, unknown>>): string | undefined => {
  const id = ID.idOf(draft);
  return id === undefined || !isOnMachine(draft) ? id : `${id} on this machine`;
};

/** The channel and the thread of an id; undefined for a text that is none. */
function placeOf(id: string): { cid: string; parentId?: string } | undefined {
  const [cid = "", parentId] = id.replace(/ on this machine$/, "").split("/");
  return splitCid(cid) && { cid, ...(parentId !== undefined && { parentId }) };
}

async function draftNow(core: Core, id: string): Promise<ListedDraft | undefined> {
  const { cid, parentId } = placeOf(id)!;
  if (id.endsWith(" on this machine")) return localDrafts(core, cid).find((one) => idOf({ ...one }) === id);
  const query = parentId === undefined ? {} : { parent_id: parentId };
  return { ...(await core.call("getDraft", { path: pathOf(cid), query })).draft, origin: "provider" };
}

/** The message as it is sent, with what changes. */
function messageOf({ message }: Pick<Draft, "message">, { set = {} }: PartialChange): DraftMessage {
  const body: { message?: DraftMessage } = {};
  for (const [name, value] of Object.entries(set)) setValue(body, { message }, name, value);
  return body.message!;
}

async function write(core: Core, id: string, change: PartialChange, now: ListedDraft): Promise<ListedDraft> {
  if (isOnMachine(now))
    throw new CommandError(
      "rejected",
      `The draft of ${id} is open in a message box, which alone changes it.`,
    );
  const { mentioned_users: mentioned, ...message } = messageOf(now as Draft, change);
  const ids = mentioned?.map((one: { id: string } | string) => (typeof one === "string" ? one : one.id));
  const body = { message: { ...message, ...(ids && { mentioned_users: ids }) } } as BodyOf<"saveDraft">;
  const { draft } = await core.call("saveDraft", { path: pathOf(placeOf(id)!.cid), body });
  return { ...now, ...draft };
}

export const settableDrafts = (core: Core): Settable<ListedDraft> => ({
  noun: "draft",
  form: {
    ids: ID.ids,
    known: ["channel_cid", "parent_id", "message.text"],
    texts: ["message.text"],
    readId: (text) => (placeOf(text) ? text : undefined),
    idOf,
  },
  isSettable: (name) => name === "message",
  ...oneAtATime((id) => draftNow(core, id)),
  ...oneByOne((id, change, now) => write(core, id, change, now)),
});
