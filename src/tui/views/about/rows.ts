/** Draws a message's details: names under each reaction, readers, and earlier texts. */
import { userName } from "../../../model/channels.ts";
import { isShownTo } from "../../../model/audience.ts";
import { holdsAllMembers } from "../../../model/readers.ts";
import type { ChannelEntry, ClientMessage } from "../../../model/state.ts";
import { reactionGlyph } from "../../../text/emoji.ts";
import { clean } from "../../../text/sanitize.ts";
import { wholeDate } from "../../../text/times.ts";
import { fitTerminal } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import { wrapText } from "../../../text/wrap.ts";
import type { Reaction } from "../../../wire/entities/message.ts";
import { compareTimes, timeToMs } from "../../../wire/time.ts";
import type { User } from "../../../wire/entities/user.ts";
import type { RowContext } from "../../render/context.ts";
import type { EarlierText } from "../../screen/edit-history.ts";

/** Names listed under one heading. */
const MAX_NAMES = 100;

interface AboutProps {
  entry: ChannelEntry;
  message: ClientMessage;
  reactions: readonly Reaction[];
  before: readonly EarlierText[];
  width: number;
  context: RowContext;
}

/** A heading and wrapped names below it; if `total` is larger, the others are counted. */
function nameRows(
  head: string,
  users: readonly (User | undefined)[],
  total: number,
  props: AboutProps,
): string[] {
  const { context, width } = props;
  const shown = users.slice(0, MAX_NAMES).map((user) => userName(user));
  const more = total - shown.length;
  const section = shown.join(", ") + (more > 0 ? words.about.more(more) : "");
  const rows = wrapText(fitTerminal(section, context.glyphs), Math.max(4, width - 4));
  return [` ${context.theme.bold(head)}`, ...rows.map((row) => `   ${row}`)];
}

function reactionNameRows(props: AboutProps): string[] {
  const { message, reactions, context } = props;
  const groups = Object.entries(message.reaction_groups).toSorted(([, a], [, b]) =>
    compareTimes(a.first_reaction_at, b.first_reaction_at),
  );
  return groups.flatMap(([type, { count }]) => {
    const users = reactions
      .filter((each) => each.type === type)
      .map(({ user, user_id }) => user ?? { id: user_id });
    return nameRows(`${fitTerminal(reactionGlyph(type), context.glyphs)} ${count}`, users, count, props);
  });
}

/** Users who have read the message, and those to whom it was only delivered. */
function readerRows(props: AboutProps): string[] {
  const { entry, message } = props;
  const others = [...entry.read.values()].filter(
    ({ user }) => user.id !== message.user?.id && isShownTo(message, user.id),
  );
  const upTo = (time: string | undefined): boolean =>
    time !== undefined && compareTimes(time, message.created_at) >= 0;
  const read = others.filter(({ last_read }) => upTo(last_read)).map(({ user }) => user);
  const delivered = others
    .filter(({ last_read, last_delivered_at }) => !upTo(last_read) && upTo(last_delivered_at))
    .map(({ user }) => user);
  const allLoaded = holdsAllMembers(entry);
  const list = (label: (n: number, isAll: boolean) => string, users: User[]): string[] =>
    users.length > 0 ? nameRows(label(users.length, allLoaded), users, users.length, props) : [];
  return [...list(words.about.read, read), ...list(words.about.reached, delivered)];
}

function earlierTextRows({ before, width, context }: AboutProps): string[] {
  if (before.length === 0) return [];
  const { theme, glyphs } = context;
  const texts = before
    .toReversed()
    .flatMap(({ text, until }) => [
      ` ${theme.dim(words.about.until(wholeDate(timeToMs(until), context)))}`,
      ...wrapText(fitTerminal(clean(text), glyphs), Math.max(4, width - 4)).map((row) => `   ${row}`),
    ]);
  return [` ${theme.bold(words.about.before)}`, ...texts];
}

/** All parts with blank rows between them; a sentence when there is none. */
export function aboutRows(props: AboutProps): string[] {
  const { message, context, width } = props;
  const edited = message.message_text_updated_at !== undefined && props.before.length === 0;
  const unseen = wrapText(words.about.unseen, Math.max(4, width - 4)).map((row) => `   ${row}`);
  const unknownRows = edited ? [` ${context.theme.bold(words.about.before)}`, ...unseen] : [];
  const all = [reactionNameRows(props), readerRows(props), earlierTextRows(props), unknownRows];
  const parts = all.filter((part) => part.length > 0);
  if (parts.length === 0)
    return wrapText(words.about.nothing, width - 2).map((row) => ` ${context.theme.dim(row)}`);
  return parts.flatMap((part, i) => (i === 0 ? part : ["", ...part]));
}
