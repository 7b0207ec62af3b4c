/** Renders a poll: the question and a bar for each option, with one's own votes marked. */
import { cellWidth, padEnd } from "../../text/width.ts";
import { words } from "../../text/words.ts";
import type { Poll } from "../../wire/entities/poll.ts";
import { displayName, railed, safeLine, type RowContext } from "./context.ts";
import { spot } from "./spots.ts";

const MAX_OPTIONS = 12;
const MAX_ANSWERS = 3;
/** Minimum cells for an option's text beside its bar; with fewer the bar is omitted. */
const MIN_OPTION_CELLS = 8;

/** A bar of `█░` cells; any vote shows at least one full cell, and only all votes fill the bar. */
export function bar(votes: number, total: number, cells: number): string {
  const share = total > 0 ? Math.min(1, Math.max(0, votes / total)) : 0;
  let full = Math.round(share * cells);
  if (votes > 0 && full === 0) full = 1;
  if (share < 1 && full === cells) full = cells - 1;
  return "█".repeat(full) + "░".repeat(cells - full);
}

/** Comments on the poll, newest first; without names if it is anonymous. */
function answerRows(poll: Poll, inner: number, ctx: RowContext): string[] {
  const ownVotes = new Set((poll.own_votes ?? []).map((vote) => vote.id));
  const answers = (poll.latest_answers ?? []).filter((answer) => answer.answer_text);
  const rows = answers.slice(0, MAX_ANSWERS).map((answer) => {
    const named = poll.voting_visibility !== "anonymous" && answer.user;
    const own = ownVotes.has(answer.id) || (answer.user_id ?? answer.user?.id) === ctx.me.id;
    const name = own ? words.poll.mine : named ? displayName(ctx, answer.user, 16) : "";
    const text = safeLine(ctx, answer.answer_text, Math.max(1, inner - cellWidth(name) - 3));
    const row = safeLine(ctx, words.poll.answer(text, name), inner);
    return own ? ctx.theme.own(row) : row;
  });
  const more = Math.max(poll.answers_count ?? 0, answers.length) - rows.length;
  if (more > 0 && rows.length > 0)
    rows.push(ctx.theme.dim(safeLine(ctx, words.poll.moreAnswers(more), inner)));
  return rows;
}

/** Total number of votes; negative counts are ignored. */
const votesOf = (poll: Poll): number =>
  Object.values(poll.vote_counts_by_option ?? {}).reduce((sum, n) => sum + (n > 0 ? n : 0), 0);

/** Kind of the poll and number of votes. */
export function pollFacts(poll: Poll): string[] {
  const facts: string[] = [words.poll.label];
  if (poll.is_closed) facts.push(words.poll.closed);
  else if (poll.enforce_unique_vote || poll.max_votes_allowed === 1) facts.push(words.poll.one);
  else if (poll.max_votes_allowed) facts.push(words.poll.upTo(poll.max_votes_allowed));
  if (poll.voting_visibility === "anonymous") facts.push(words.poll.anonymous);
  facts.push(words.poll.votes(votesOf(poll)));
  if (poll.answers_count) facts.push(words.poll.comments(poll.answers_count));
  return facts;
}

/** The rows of a poll; options are numbered like the keys that vote for them. */
export function pollRows(poll: Poll, width: number, ctx: RowContext): string[] {
  const { theme } = ctx;
  const inner = width - 2;
  const counts = poll.vote_counts_by_option ?? {};
  const total = votesOf(poll);
  const ownVotes = new Set((poll.own_votes ?? []).map((vote) => vote.option_id));
  const rows = [
    theme.bold(safeLine(ctx, poll.name, inner)),
    theme.dim(safeLine(ctx, pollFacts(poll).join(" · "), inner)),
  ];
  const description = safeLine(ctx, poll.description, inner);
  if (description) rows.splice(1, 0, description);

  const shown = poll.options.slice(0, MAX_OPTIONS);
  const cells = inner < 30 ? 5 : inner < 60 ? 8 : 12;
  // The cells left for the option after number, bar, blanks, count and own mark.
  const room = inner - cells - 13;
  const texts = shown.map((option) => safeLine(ctx, option.text, Math.max(1, room)));
  const widest = Math.max(0, ...texts.map(cellWidth));
  const clickable = (i: number, row: string): string => (i < 9 ? spot(ctx, "vote", row, String(i + 1)) : row);
  shown.forEach((option, i) => {
    const votes = counts[option.id] ?? 0;
    const own = ownVotes.has(option.id);
    const number = i < 9 ? `${i + 1} ` : "  ";
    const count = String(votes).slice(0, 6);
    if (room < MIN_OPTION_CELLS) {
      const suffix = own ? `${count} ${words.poll.mine}` : count;
      const text = safeLine(ctx, option.text, Math.max(1, inner - cellWidth(suffix) - 3));
      return rows.push(clickable(i, safeLine(ctx, `${number}${text} ${suffix}`, inner)));
    }
    const tail = `${padEnd(texts[i]!, widest)} ${count}`;
    const chart = (own ? theme.own : theme.accent)(bar(votes, total, cells));
    const label = own ? theme.own(`${tail} ${words.poll.mine}`) : tail;
    rows.push(clickable(i, `${theme.dim(number)}${chart} ${label}`));
  });
  const more = poll.options.length - shown.length;
  if (more > 0) rows.push(theme.dim(safeLine(ctx, words.poll.moreOptions(more), inner)));
  const { allow_user_suggested_options: options = false, allow_answers: comments = false } = poll;
  if ((options || comments) && !poll.is_closed)
    rows.push(theme.dim(safeLine(ctx, words.poll.yourOwn(options, comments), inner)));
  rows.push(...answerRows(poll, inner, ctx));
  return railed(ctx, rows);
}
