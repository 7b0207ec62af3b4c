/** Renders a message as one line for screen readers. */
import { reasonOf } from "../../wire/errors.ts";
import { flatText } from "../../text/markup.ts";
import { cleanLine } from "../../text/sanitize.ts";
import { clock } from "../../text/times.ts";
import { words } from "../../text/words.ts";
import { userName } from "../../model/channels.ts";
import { messageLinks } from "../../model/message-links.ts";
import type { ClientMessage } from "../../model/state.ts";
import type { Poll } from "../../wire/entities/poll.ts";
import { timeToMs } from "../../wire/time.ts";
import { attachmentRows, quoteRows } from "./cards.ts";
import { locationWords } from "./location.ts";
import type { RowContext } from "./context.ts";
import { audienceText, trailingMarks } from "./marks.ts";
import { pollFacts } from "./poll.ts";
import { reactionChips } from "./reactions.ts";
import { makeTheme } from "./theme.ts";

/** Wide enough that no card is cut. */
const UNLIMITED_WIDTH = 4000;

/** A poll in words: options with numbers and votes, one's own marked. */
function pollWords(poll: Poll): string {
  const ownVotes = new Set(poll.own_votes.map((vote) => vote.option_id));
  const options = poll.options.map(({ id, text }, i) => {
    const votes = words.poll.votes(poll.vote_counts_by_option[id] ?? 0);
    return `${i + 1} ${cleanLine(text) || words.message.empty}, ${votes}${ownVotes.has(id) ? `, ${words.poll.yours}` : ""}`;
  });
  const answers = (poll.latest_answers ?? []).flatMap(({ answer_text, user }) =>
    answer_text
      ? [
          words.poll.answer(
            cleanLine(answer_text),
            poll.voting_visibility === "anonymous" ? "" : userName(user),
          ),
        ]
      : [],
  );
  const description = poll.description ? [cleanLine(poll.description)] : [];
  const [label, ...facts] = pollFacts(poll);
  return [
    `${label}: ${cleanLine(poll.name)} (${facts.join(", ")})`,
    ...description,
    ...options,
    ...answers,
  ].join("; ");
}

/** The rows of a card without their rail. */
const withoutRail = (rows: readonly string[]): string[] => rows.map((row) => row.replace(/^▎ ?/, ""));

/** The cards of a message, one string each. */
function cardTexts(message: ClientMessage, ctx: RowContext): string[] {
  const chips = reactionChips(message, UNLIMITED_WIDTH, ctx).map(({ text }) => text);
  const replies = message.reply_count > 0 ? [words.message.replyCount(message.reply_count)] : [];
  return [
    ...withoutRail(quoteRows(message, UNLIMITED_WIDTH, ctx)).map((row) => words.message.quoting(row)),
    ...(message.poll ? [pollWords(message.poll)] : []),
    ...(message.attachments?.length
      ? [withoutRail(attachmentRows(message, UNLIMITED_WIDTH, ctx)).join(", ")]
      : []),
    ...messageLinks(message).flatMap(({ url, attachment }) => (attachment ? [url] : [])),
    ...(message.shared_location ? [locationWords(message.shared_location, UNLIMITED_WIDTH, ctx)] : []),
    ...(chips.length > 0 ? [words.message.reactions(chips.join(", "))] : []),
    ...replies,
  ];
}

/** `now` in ms; `me` = the current user's id. */
export function spoken(
  message: ClientMessage,
  options: { utc: boolean; now: number; me: string | undefined },
): string {
  const ctx: RowContext = {
    width: UNLIMITED_WIDTH,
    theme: makeTheme(0),
    now: options.now,
    utc: options.utc,
    spoken: true,
    me: { id: options.me ?? "" },
  };
  const time = clock(timeToMs(message.created_at), options);
  const reply = message.parent_id ? ", in a thread" : "";
  const audience = audienceText(message, ctx.me.id);
  const forSome = audience === undefined ? "" : `, ${cleanLine(audience)}`;
  const head = `${time} ${userName(message.user)}${reply}${forSome}:`;
  if (message.type === "deleted") return `${head} ${words.message.deleted}`;
  const { struck } = words.message;
  const text = message.text.split("\n").map((line) => flatText(line, { links: true, struck }));
  const cards = cardTexts(message, ctx);
  const shown = text.filter(Boolean).join(" / ") || (cards.length > 0 ? "" : words.message.empty);
  const marks = trailingMarks(message, ctx);
  const body = [[shown, marks].filter(Boolean).join(" "), ...cards, failure(message)];
  return [head, body.filter(Boolean).join(" · ")].join(" ");
}

/** That the message was not sent, and why. */
function failure({ status, error }: ClientMessage): string {
  if (status !== "failed") return "";
  const why = cleanLine(reasonOf(error?.message ?? ""));
  return why === "" ? words.message.failed : `${words.message.failed}: ${why}`;
}
