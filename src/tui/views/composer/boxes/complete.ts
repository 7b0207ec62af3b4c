/** Completes the word before the cursor: people, channels, commands, emoji (R-MENT, R-CMD). */
import { userName } from "../../../../model/channels.ts";
import { matchingUsers, mentionTrigger } from "../../../../model/mentions.ts";
import { completeEmoji, withTone, type SkinTone } from "../../../../text/emoji.ts";
import { cleanLine } from "../../../../text/sanitize.ts";
import { words } from "../../../../text/words.ts";
import { SUGGESTION_PAGE } from "../../../../wire/constants.ts";
import type { User } from "../../../../wire/entities/user.ts";
import type { CompletionState, CompletionItem } from "../../../screen/screen.ts";
import { completionOfLine, type LineContext } from "./complete-commands.ts";
import { preferringNames, ranked } from "./rank.ts";

interface CompletionContext extends LineContext {
  /** Emoji: names that are listed first, and the skin tone. */
  emoji?: { first: readonly string[]; tone: SkinTone };
  /** Users that can be mentioned, without the current user (R-MENT-5). */
  people: readonly User[];
}

function people(context: CompletionContext, query: string): CompletionItem[] {
  return matchingUsers(context.people, query, undefined)
    .slice(0, SUGGESTION_PAGE)
    .map((user) => {
      const name = userName(user);
      return {
        insert: `@${name} `,
        label: `@${name}`,
        user,
        ...(name === user.id ? {} : { detail: cleanLine(user.id) }),
      };
    });
}

const channels = (context: CompletionContext, query: string): CompletionItem[] =>
  ranked(context.channels, query, (c) => [c.title.replace(/^#/, ""), c.cid])
    .slice(0, SUGGESTION_PAGE)
    .map((c) => ({
      insert: `#${c.cid.slice(c.cid.indexOf(":") + 1)} `,
      label: cleanLine(c.title),
      ...(c.open && { detail: words.completion.open }),
    }));

/** An exact match first, then favourites and recently used emoji. */
function emoji({ first, tone }: NonNullable<CompletionContext["emoji"]>, query: string): CompletionItem[] {
  // One letter would open a list at every smiley.
  if (query.length < 2 || !/^[\w+-]+$/.test(query)) return [];
  return completeEmoji(query, SUGGESTION_PAGE)
    .toSorted(preferringNames(first, query))
    .map(({ name, emoji: plain }) => {
      const toned = withTone(plain, tone);
      return { insert: `${toned} `, label: toned, detail: `:${name}:`, emoji: name };
    });
}

const PLAIN = { first: [], tone: "none" } as const;

/** Completes a mention, also of a name with several words. */
function mentionCompletion(before: string, context: CompletionContext): CompletionState | undefined {
  const trigger = mentionTrigger(before, before.length);
  const items = trigger ? people(context, trigger.query) : [];
  return trigger && items.length > 0 ? { start: trigger.start, items, selected: 0 } : undefined;
}

/** The completion list for the text up to the cursor, if any. */
export function completionFor(before: string, context: CompletionContext): CompletionState | undefined {
  const line = /^\/[^\n]*$/.test(before) ? completionOfLine(before, context) : undefined;
  // Arguments of a provider's command are message text, which may contain mentions.
  if (line && line.items.length > 0) return line;
  const word = /(?:^|\s)([#:][^\s]*)$/u.exec(before)?.[1];
  if (word === undefined) return mentionCompletion(before, context) ?? line;
  const query = word.slice(1);
  const items = word[0] === "#" ? channels(context, query) : emoji(context.emoji ?? PLAIN, query);
  return items.length > 0 ? { start: before.length - word.length, items, selected: 0 } : line;
}
