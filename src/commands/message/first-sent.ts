/** Tells a repeated send from another message under the same id (specification/sending.md §3). */
import type { Core } from "../../core/core.ts";
import type { ThreadRef } from "../../model/state.ts";
import type { Attachment } from "../../wire/entities/attachment.ts";
import type { SharedLocation } from "../../wire/entities/location.ts";
import type { Message } from "../../wire/entities/message.ts";
import { CommandError } from "../base/define-command.ts";

/** UUID v5 namespace for ids derived from `--idempotency-key`. */
const KEY_NAMESPACE = "2f0c1f0e-6d5b-5c62-9a53-4a5f2d1f7b11";
/** UUID v5 namespace of digests. */
const DIGEST_NAMESPACE = "0d4a6d1c-4a43-5d43-8a83-7a1f6ec2b6b0";

const uuidOf = async (text: string, namespace: string): Promise<string> =>
  (await import("uuid")).v5(text, namespace);

/** The message id of a key: the same person, place, thread and key give the same id. */
export const idFromKey = (user: string, { cid, parentId = "" }: ThreadRef, key: string): Promise<string> =>
  uuidOf(JSON.stringify([user, cid, parentId, key]), KEY_NAMESPACE);

/** The id that earlier versions gave a key, wherever and by whomever it was used. */
export const oldIdFromKey = (key: string): Promise<string> => uuidOf(key, KEY_NAMESPACE);

/** What makes a message the same as another one; mentions, flags and custom fields do not count. */
export interface SentContent extends ThreadRef {
  text: string;
  attachments: readonly Attachment[];
  quote?: string | undefined;
  poll?: string | undefined;
  location?: SharedLocation | undefined;
}

/** Where a location is; a live one moves. */
const spotOf = ({ latitude, longitude, end_at }: SharedLocation): string =>
  end_at === undefined ? `${latitude},${longitude}` : "live";

/** Kind, name and size; link previews are added by the provider. */
const filesOf = (attachments: readonly Attachment[]): unknown[] =>
  attachments
    .filter((each) => each.og_scrape_url === undefined)
    .map(({ type, title, file_size }) => [type, title, file_size]);

const canonical = ({ cid, parentId, text, attachments, quote, poll, location }: SentContent): string =>
  JSON.stringify([
    cid,
    parentId ?? "",
    text.trim(),
    filesOf(attachments),
    quote ?? "",
    poll ?? "",
    location ? spotOf(location) : "",
  ]);

const contentOf = (message: Message): SentContent => ({
  cid: message.cid,
  ...(message.parent_id !== undefined && { parentId: message.parent_id }),
  text: message.text,
  attachments: message.attachments,
  quote: message.quoted_message_id,
  poll: message.poll_id,
  location: message.shared_location,
});

type FoundAs = "same" | "other" | "unknown";

/** The content before the first change, from the provider's history; undefined without changes, or when it may not be read. */
async function firstVersion(
  core: Core,
  id: string,
): Promise<Pick<SentContent, "text" | "attachments"> | undefined> {
  const sort = [{ field: "message_updated_at", direction: 1 as const }];
  try {
    const body = { filter: { message_id: id }, sort, limit: 1 };
    return (await core.call("queryMessageHistory", { body, server: true })).message_history[0];
  } catch (error) {
    if ((error as Error).name === "TransportError") throw error;
    return undefined;
  }
}

/** Compares with what was first sent: the record of this machine, else the message if nothing changed it, else its history. */
async function compare(core: Core, found: Message, sent: SentContent): Promise<FoundAs> {
  const wanted = canonical(sent);
  const verdict = (isSame: boolean): FoundAs => (isSame ? "same" : "other");
  const recorded = core.firstSent(found.id);
  if (recorded !== undefined) return verdict(recorded === (await uuidOf(wanted, DIGEST_NAMESPACE)));
  const now = contentOf(found);
  if (found.user.id !== core.userId || !isIn(found, sent)) return "other";
  const isEdited = found.message_text_updated_at !== undefined || found.type === "deleted";
  if (!isEdited && canonical(now) === wanted) return "same";
  const first = await firstVersion(core, found.id);
  if (first) return verdict(canonical({ ...now, ...first }) === wanted);
  // A command or the provider may have replaced the text.
  if (isEdited || found.command !== undefined) return "unknown";
  const isUnchanged = found.updated_at === found.created_at || now.text.trim() !== sent.text.trim();
  return isUnchanged ? "other" : "unknown";
}

const isIn = (message: Message, { cid, parentId }: ThreadRef): boolean =>
  message.cid === cid && (message.parent_id ?? undefined) === parentId;

/** The message with this id that the user may read. */
async function findMessage(core: Core, id: string): Promise<Message | undefined> {
  try {
    return (await core.call("getMessage", { path: { id } })).message;
  } catch (error) {
    const { status = 0 } = error as { status?: number };
    if (status === 404 || status === 403) return undefined;
    throw error;
  }
}

/** A send under a chosen id, by `--id` or by a key. */
export interface ChosenSend {
  id: string;
  key: string | undefined;
  content: SentContent;
}

/** Throws `CommandError` (conflict) when the message is another one, and (unknown) when that cannot be told. */
export async function requireSame(
  core: Core,
  found: Message,
  { key, content }: ChosenSend,
): Promise<Message> {
  const { id } = found;
  const kind = await compare(core, found, content);
  if (kind === "same") return found;
  if (kind === "unknown")
    throw new CommandError(
      "unknown",
      `Message ${id} was changed after it was sent: whether it was this one cannot be told.`,
      `parley message get ${id} shows it; with ${key === undefined ? "another --id" : "another --idempotency-key"} this one is sent too`,
    );
  const taken =
    key === undefined
      ? `There is already a message ${id}.`
      : `The key ${key} has sent something else already, as message ${id}.`;
  throw new CommandError("conflict", taken, `parley message get ${id}`);
}

/** The message of an earlier run. Only keys of earlier versions are looked up before a send: the provider refuses a taken id. */
export async function findRepeated(core: Core, send: ChosenSend, dry: boolean): Promise<Message | undefined> {
  const { id, key, content } = send;
  const old = key === undefined ? undefined : await findMessage(core, await oldIdFromKey(key));
  if (old && old.user.id === core.userId && isIn(old, content)) return requireSame(core, old, send);
  return dry && !core.answersDryRuns() ? findTaken(core, { ...send, id }) : undefined;
}

/** The message under the id, if there is one. Throws like `requireSame`. */
export async function findTaken(core: Core, send: ChosenSend): Promise<Message | undefined> {
  const found = await findMessage(core, send.id);
  return found && requireSame(core, found, send);
}

/** Remembers what was sent first under the id, as a digest: the text may change later. */
export async function recordFirst(core: Core, { id, content }: ChosenSend): Promise<void> {
  core.recordFirstSent(id, await uuidOf(canonical(content), DIGEST_NAMESPACE));
}
