/** Renders a poll: the question and a bar for each option, with one's own votes marked. */
import { cellWidth, padEnd } from "../../text/width.ts";
import { words } from "../../text/words.ts";
import type { Poll } from "../../wire/entities/poll.ts";
import { displayName, safeLine, type RowContext } from "./context.ts";
import { spot } from "./spots.ts";

const MAX_OPTIONS = 12;
const MAX_ANSWERS = 3;
/** Minimum cells for an option's text beside its bar; with fewer the bar is omitted. */
const MIN_OPTION_CELLS = 8;
/** The least width of the column of options. */
const OPTION_CELLS = 16;

/** How many of `cells` cells of a bar are full: any vote shows at least one, and only all votes fill it. */
export function fullCells(votes: number, total: number, cells: number): number {
  const share = shareOf(votes, total);
  const full = Math.round(share * cells);
  if (votes > 0 && full === 0) return 1;
  return share < 1 && full === cells ? cells - 1 : full;
}

const shareOf = (votes: number, total: number): number =>
  total > 0 ? Math.min(1, Math.max(0, votes / total)) : 0;

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

/** Cells of the bars. */
const barCells = (width: number): number => (width >= 68 ? 20 : width >= 50 ? 16 : 10);
/** Beside option and bar: number, count, per cent, own mark, and the gaps. */
const BESIDE_OPTION = 3 + 2 + 2 + 2 + 5 + 3;

/** The columns of the options of a poll. */
interface OptionColumns {
  text: number;
  bar: number;
  count: number;
}

function optionColumns(poll: Poll, width: number): OptionColumns {
  const options = poll.options.slice(0, MAX_OPTIONS);
  const count = Math.max(1, ...options.map(({ id }) => countOf(poll, id).length));
  const bar = barCells(width);
  const widest = Math.max(OPTION_CELLS, ...options.map(({ text }) => cellWidth(text)));
  return { text: Math.min(widest, width - BESIDE_OPTION - bar - count), bar, count };
}

const countOf = (poll: Poll, optionId: string): string =>
  String(poll.vote_counts_by_option?.[optionId] ?? 0).slice(0, 6);

/** `1  soba   ━━━━┄┄┄  3  60 %  ✓`; in a narrow pane without the bar. */
function optionRow(
  poll: Poll,
  at: number,
  { width, columns, own }: { width: number; columns: OptionColumns; own: boolean },
  ctx: RowContext,
): string {
  const { theme } = ctx;
  const option = poll.options[at]!;
  const number = at < 9 ? `${at + 1}  ` : "   ";
  const count = countOf(poll, option.id);
  const mine = own ? `  ${words.poll.mine}` : "";
  if (columns.text < MIN_OPTION_CELLS) {
    const text = safeLine(ctx, option.text, Math.max(1, width - cellWidth(count + mine) - 5));
    return safeLine(ctx, `${number}${text}  ${count}${mine}`, width);
  }
  const votes = poll.vote_counts_by_option?.[option.id] ?? 0;
  const full = fullCells(votes, votesOf(poll), columns.bar);
  const bar = theme.accent("━".repeat(full)) + theme.line("┄".repeat(columns.bar - full));
  const text = padEnd(safeLine(ctx, option.text, columns.text), columns.text);
  const share = `${Math.round(shareOf(votes, votesOf(poll)) * 100)} %`.padStart(5);
  const label = `${count.padStart(columns.count)}  ${share}`;
  return `${theme.dim(number)}${own ? theme.own(text) : text}  ${bar}  ${label}${theme.own(mine)}`;
}

/** The rows of a poll; options are numbered like the keys that vote for them. */
export function pollRows(poll: Poll, width: number, ctx: RowContext): string[] {
  const { theme } = ctx;
  const ownVotes = new Set((poll.own_votes ?? []).map((vote) => vote.option_id));
  const rows = [
    theme.bold(safeLine(ctx, poll.name, width)),
    theme.dim(safeLine(ctx, pollFacts(poll).join(" · "), width)),
  ];
  const description = safeLine(ctx, poll.description, width);
  if (description) rows.splice(1, 0, description);

  const shown = poll.options.slice(0, MAX_OPTIONS);
  const columns = optionColumns(poll, width);
  shown.forEach((option, at) => {
    const row = optionRow(poll, at, { width, columns, own: ownVotes.has(option.id) }, ctx);
    rows.push(at < 9 ? spot(ctx, "vote", row, String(at + 1)) : row);
  });
  const more = poll.options.length - shown.length;
  if (more > 0) rows.push(theme.dim(safeLine(ctx, words.poll.moreOptions(more), width)));
  const { allow_user_suggested_options: options = false, allow_answers: comments = false } = poll;
  if ((options || comments) && !poll.is_closed)
    rows.push(theme.dim(safeLine(ctx, words.poll.yourOwn(options, comments), width)));
  return [...rows, ...answerRows(poll, width, ctx)];
}
