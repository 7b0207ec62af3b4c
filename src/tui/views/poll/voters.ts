/** The votes of a poll in the panel: voters of each option, and comments. */
import { userName } from "../../../model/channels.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { cellWidth, truncate } from "../../../text/width.ts";
import { wrapText } from "../../../text/wrap.ts";
import { words } from "../../../text/words.ts";
import type { Poll, PollVote } from "../../../wire/entities/poll.ts";
import { pagePanel, type PageState } from "../../components/page.tsx";
import type { Theme } from "../../render/theme.ts";
import { messageIn } from "../../screen/selectors.ts";

/** The newest voters, which are part of the poll; `/poll votes` lists all. */
function namesOf(votes: readonly PollVote[], all: number, width: number): string[] {
  const names = votes.map(({ user }) => userName(user)).join(", ");
  const more = all - votes.length;
  const line = more > 0 ? `${names}${names && ", "}${words.poll.card.more(more)}` : names;
  return wrapText(line || words.poll.card.nobody, Math.max(8, width - 4)).map((row) => `   ${row}`);
}

function voterRows(poll: Poll, theme: Theme, width: number): string[] {
  const room = Math.max(4, width - 2);
  const rows = [` ${theme.bold(truncate(cleanLine(poll.name), room))}`, ""];
  const anonymous = poll.voting_visibility === "anonymous";
  for (const { id, text } of poll.options) {
    const count = poll.vote_counts_by_option[id] ?? 0;
    const votes = ` · ${words.poll.votes(count)}`;
    rows.push(` ${truncate(cleanLine(text), Math.max(1, room - cellWidth(votes)))}${votes}`);
    if (!anonymous)
      rows.push(...namesOf(poll.latest_votes_by_option[id] ?? [], count, width).map((row) => theme.dim(row)));
  }
  if (anonymous)
    rows.push("", ...wrapText(words.poll.card.anonymous, room).map((row) => theme.dim(` ${row}`)));
  for (const { answer_text, user } of poll.latest_answers ?? [])
    rows.push(
      ` ${truncate(words.poll.answer(cleanLine(answer_text ?? ""), anonymous ? "" : userName(user)), room)}`,
    );
  return rows;
}

interface VotesPanel extends PageState {
  readonly parentId?: string;
}

const VOTES = "votes";

/** The key is the message with the poll. */
export const votesPanel = (cid: string, id: string, parentId?: string): VotesPanel => ({
  name: VOTES,
  key: id,
  cid,
  ...(parentId !== undefined && { parentId }),
});

export const votes = pagePanel<VotesPanel>({
  name: VOTES,
  title: words.panels.votes,
  rows({ state, panel, width, context: { theme } }) {
    const poll = messageIn(state, panel, panel.key)?.poll;
    return poll ? voterRows(poll, theme, width) : [theme.dim(` ${words.poll.gone}`)];
  },
});
