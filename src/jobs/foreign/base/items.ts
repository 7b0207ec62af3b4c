/** Makes import items of what a reader finds, and counts all that is left out: the one place for threads, parts, pins and reactions. */
import { ATTACHMENTS_LIMIT } from "../../../wire/constants.ts";
import type { ImportItem } from "../../../wire/entities/import.ts";
import { POISONED_KEYS } from "../../../wire/ids.ts";
import { Tally } from "../../tally.ts";
import { boundedCustom, cutBefore } from "./fields.ts";
import type { ForeignMessage, ForeignReader, ForeignScope } from "./format.ts";
import { emojiCodeOf, reactionTypeOf } from "./reactions.ts";
import { timeText } from "./times.ts";

/** The longest text of an import. */
const MAX_TEXT = 20_000;
/** Pins without an end are stored with this one. */
const NO_END = "2250-01-01T00:00:00Z";
/** A count beyond it is no count of reactions or replies. */
const MAX_COUNT = 1_000_000;

const countOf = (count: number | undefined): number =>
  count !== undefined && Number.isSafeInteger(count) && count > 0 && count <= MAX_COUNT ? count : 0;

/** What references need: memory holds the ids of the messages. */
class Survey {
  /** Message → its channel; empty for a reply, which has none below it. */
  readonly #channels = new Map<string, string>();
  /** Ids that several messages have. */
  readonly #repeated = new Set<string>();
  /** First message → replies found, and replies that the service counted. */
  readonly #found = new Map<string, number>();
  readonly #counted = new Map<string, number>();
  hasReactions = false;

  /** False for a copy of a message. */
  add({ id, channel, parent, replies }: ForeignMessage): boolean {
    if (this.#channels.has(id)) {
      this.#repeated.add(id);
      return false;
    }
    this.#channels.set(id, parent === undefined ? channel : "");
    if (parent !== undefined) this.#found.set(parent, (this.#found.get(parent) ?? 0) + 1);
    else if (countOf(replies) > 0) this.#counted.set(id, countOf(replies));
    return true;
  }

  has(id: string): boolean {
    return this.#channels.has(id);
  }

  isThreadIn(channel: string, id: string): boolean {
    return this.#channels.get(id) === channel;
  }

  countMissingReplies(tally: Tally): void {
    for (const [id, count] of this.#counted)
      tally.add(
        "notice",
        "a reply is counted by its thread and not in the export",
        Math.max(count - (this.#found.get(id) ?? 0), 0),
      );
  }

  /** Yields messages with a valid time, of several with one id the first; the others go to `onDropped` with the reason. */
  async *usable(
    messages: AsyncIterable<ForeignMessage>,
    onDropped: (message: ForeignMessage, reason: "copy" | "time") => void,
  ): AsyncGenerator<ForeignMessage & { at: number }> {
    const done = new Set<string>();
    for await (const message of messages) {
      const { id, at } = message;
      if (at === undefined) onDropped(message, "time");
      else if (done.has(id)) onDropped(message, "copy");
      else {
        if (this.#repeated.has(id)) done.add(id);
        yield { ...message, at };
      }
    }
  }
}

async function surveyOf(reader: ForeignReader, { people, channels, signal }: ForeignScope): Promise<Survey> {
  const survey = new Survey();
  for await (const message of reader.messages(new Tally())) {
    signal.throwIfAborted();
    // Also of a message that is left out: its reactions are counted.
    survey.hasReactions ||= (message.reactions?.length ?? 0) > 0;
    if (message.at === undefined || !survey.add(message)) continue;
    const { user, channel, reactions = [], mentioned = [], pinned } = message;
    people.add(user);
    if (reader.joinsAuthors) channels.join(channel, user);
    for (const id of [...mentioned, ...reactions.flatMap(({ users }) => users), pinned?.by]) people.add(id);
  }
  return survey;
}

/** All items of an export, in the order an import needs. Messages are read several times, so that memory holds people, channels and ids only. */
export async function* foreignItems(reader: ForeignReader, scope: ForeignScope): AsyncGenerator<ImportItem> {
  const { people, channels, tally, signal } = scope;
  const survey = await surveyOf(reader, scope);
  for (const data of people.items) yield { type: "user", data };
  yield* channels.items(tally);
  yield* channels.memberItems();
  const dropped = (_: ForeignMessage, reason: "copy" | "time"): void =>
    reason === "copy"
      ? tally.add("notice", "a message is in the export twice")
      : tally.add("message", "without a valid time");
  for await (const message of survey.usable(reader.messages(tally), dropped)) {
    signal.throwIfAborted();
    yield* messageItems(message, survey, scope);
  }
  survey.countMissingReplies(tally);
  if (survey.hasReactions) yield* allReactions(reader, survey, scope);
  reader.finish?.();
}

/** One message, and further ones for what is beyond the limits of one. */
function* messageItems(
  message: ForeignMessage & { at: number },
  survey: Survey,
  { channels, people, tally }: ForeignScope,
): Iterable<ImportItem> {
  const { id, channel, at, parent, quoted, edited, shown, orphan, attachments = [] } = message;
  const isReply = parent !== undefined && survey.isThreadIn(channel, parent);
  if (parent !== undefined && !isReply)
    tally.add("notice", "a reply whose first message is not in the export stands in the channel");
  const hasQuoted = quoted !== undefined && quoted !== id && survey.has(quoted);
  if (quoted !== undefined && !hasQuoted)
    tally.add("notice", "a message answers one that is not in the export");
  const type = message.kind ?? (isReply ? "reply" : "regular");
  const mentioned = [...new Set(message.mentioned)].filter((one) => people.has(one));
  const custom = boundedCustom(
    { ...(parent === undefined || isReply ? {} : orphan), ...message.custom },
    tally,
  );
  const texts = partsOf(message.text.toWellFormed().replaceAll("\0", ""), MAX_TEXT);
  const count = Math.max(texts.length, Math.ceil(attachments.length / ATTACHMENTS_LIMIT));
  for (let n = 0; n < count; n++) {
    const files = attachments.slice(n * ATTACHMENTS_LIMIT, (n + 1) * ATTACHMENTS_LIMIT);
    const time = timeText(at + n);
    yield {
      type: "message",
      data: {
        id: n === 0 ? id : `${id}-part${n + 1}`,
        ...channels.placeOf(channel),
        user: message.user,
        type,
        text: texts[n] ?? "",
        created_at: time,
        ...(type === "deleted" ? { deleted_at: time } : pinOf(message, time, people.has.bind(people))),
        ...(isReply ? { parent_id: parent } : {}),
        ...(isReply && shown ? { show_in_channel: true } : {}),
        ...(hasQuoted && n === 0 ? { quoted_message_id: quoted } : {}),
        ...(files.length > 0 ? { attachments: files } : {}),
        ...(mentioned.length > 0 && n === 0 ? { mentioned_users_ids: mentioned } : {}),
        ...(edited === undefined ? {} : { edited_at: timeText(edited) }),
        ...custom,
      },
    };
  }
}

function pinOf({ pinned, user }: ForeignMessage, time: string, isKnown: (id: string) => boolean): object {
  if (!pinned) return {};
  const { at, by } = pinned;
  return {
    pinned_at: at === undefined ? time : timeText(at),
    pin_expires: NO_END,
    pinned_by_id: by !== undefined && isKnown(by) ? by : user,
  };
}

async function* allReactions(
  reader: ForeignReader,
  survey: Survey,
  { people, tally }: ForeignScope,
): AsyncGenerator<ImportItem> {
  const dropped = ({ reactions = [] }: ForeignMessage, reason: "copy" | "time"): void => {
    for (const { users, count } of reactions)
      tally.add(
        reason === "copy" ? "notice" : "reaction",
        reason === "copy" ? "a reaction of a message that is twice" : "their message is not imported",
        Math.max(users.length, countOf(count)),
      );
  };
  for await (const message of survey.usable(reader.messages(new Tally()), dropped))
    yield* reactionItems(message, (id) => people.has(id), tally);
}

/** Tones and names of one emoji are one reaction. */
function* reactionItems(
  { id, at, reactions = [] }: ForeignMessage & { at: number },
  isKnown: (id: string) => boolean,
  tally: Tally,
): Iterable<ImportItem> {
  const given = new Set<string>();
  for (const { name, users, count, at: times = [] } of reactions) {
    const type = reactionTypeOf(name);
    if (type === "" || POISONED_KEYS.has(type)) {
      tally.add("reaction", "without a valid name", Math.max(users.length, countOf(count), 1));
      continue;
    }
    const more = Math.max(countOf(count) - users.length, 0);
    tally.add("reaction", "of people whom the export does not name", more);
    const code = emojiCodeOf(name);
    for (const [n, user] of users.entries()) {
      if (user === undefined || !isKnown(user)) {
        tally.add("reaction", "of people without a valid id");
        continue;
      }
      if (given.has(`${user} ${type}`)) {
        tally.add("notice", "a reaction that its giver has already given to the message");
        continue;
      }
      given.add(`${user} ${type}`);
      const created = timeText(times[n] ?? at);
      yield {
        type: "reaction",
        data: {
          message_id: id,
          type,
          user_id: user,
          created_at: created,
          ...(code ? { emoji_code: code } : {}),
        },
      };
    }
  }
}

/** Parts of at most `limit` characters, cut at a line, else at a blank; at least one. */
function partsOf(text: string, limit: number): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > limit) {
    const line = rest.lastIndexOf("\n", limit);
    const blank = rest.lastIndexOf(" ", limit);
    const end = line > limit / 2 ? line : blank > limit / 2 ? blank : cutBefore(rest, limit);
    parts.push(rest.slice(0, end));
    rest = rest.slice(end).replace(/^[\n ]/, "");
  }
  return [...parts, rest];
}
