/** Actions on the poll of a message: vote, suggest an option, comment, end it, see who voted. */
import { hasCapability } from "../../../model/permissions.ts";
import type { HeldMessage, State } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import type { Poll } from "../../../wire/entities/poll.ts";
import { openPanel } from "../../navigation/open-channel.ts";
import type { Choice } from "../../screen/popup.ts";
import type { Action, Ports } from "../../ports/ports.ts";
import { browsePlace } from "../../screen/screen.ts";
import { messageIn, selectedIn } from "../../screen/selectors.ts";
import { askToConfirm, attempt, showError, showNotice, openPicker } from "../../screen/notices.ts";

type PollPicker = "pollVote" | "pollOption" | "pollComment";
type WithPoll = HeldMessage & { poll: Poll };

const said = words.poll.card;
const isMine = ({ poll }: WithPoll, me: string | undefined): boolean =>
  (poll.created_by_id ?? poll.created_by?.id) === me;

interface Viewer {
  state: State;
  me: string | undefined;
}

/** Actions that cast a vote. */
const VOTES: ReadonlySet<string> = new Set(["pollVote", "pollComment"]);

/** Why an action is not possible with this poll; undefined if it is. */
function refusal(action: PollAction, message: WithPoll, { state, me }: Viewer): string | undefined {
  const { poll } = message;
  if (VOTES.has(action) && !hasCapability(state.channels.get(message.cid), "cast-poll-vote"))
    return words.acting.notAllowed("cast-poll-vote");
  if (action !== "pollVoters" && poll.is_closed) return said.closed;
  if (action === "pollComment" && !poll.allow_answers) return said.noComments;
  if (action === "pollOption" && !poll.allow_user_suggested_options && !isMine(message, me))
    return said.noOptions;
  if (action === "pollEnd" && !isMine(message, me)) return said.notYours;
  return undefined;
}

type PollAction = PollPicker | "pollEnd" | "pollVoters";

/** For the message menu: whether a poll action is possible; undefined for other actions. */
export function mayPoll(action: string, message: HeldMessage, viewer: Viewer): boolean | undefined {
  if (!Object.hasOwn(pollActions, action)) return undefined;
  const { poll } = message;
  return (
    poll !== undefined &&
    poll !== null &&
    refusal(action as PollAction, { ...message, poll }, viewer) === undefined
  );
}

const withPoll =
  (action: PollAction, act: (ports: Ports, message: WithPoll) => void): Action =>
  (ports) => {
    const model = ports.store.get();
    const message = selectedIn(model);
    if (!message?.poll) return showNotice(ports, said.none);
    const held = { ...message, poll: message.poll };
    const why = refusal(action, held, { state: model.state, me: ports.core.userId });
    if (why === undefined) act(ports, held);
    else showNotice(ports, why, "warning");
  };

/** The options with their votes, one's own marked. */
export function voteChoices({ options, vote_counts_by_option, own_votes }: Poll): Choice[] {
  const mine = new Set(own_votes.map(({ option_id }) => option_id));
  return options.map(({ id, text }) => ({
    label: cleanLine(text),
    detail: words.poll.votes(vote_counts_by_option[id] ?? 0),
    value: id,
    ...(mine.has(id) && { mark: words.poll.mine }),
  }));
}

const opensPicker = (name: PollPicker, title: string): Action =>
  withPoll(name, (ports, { id, poll }) =>
    openPicker(ports, {
      name,
      title,
      about: id,
      choices: name === "pollVote" ? voteChoices(poll) : undefined,
    }),
  );

/** The typed text as the only choice. */
export const typedChoice = (query: string): Choice[] =>
  query === "" ? [] : [{ label: `“${cleanLine(query)}”`, value: query }];

/** Why a new vote for this option is not possible; undefined if it is. */
function noVoteFor(poll: Poll, option: string): string | undefined {
  const { options, own_votes, max_votes_allowed: most, enforce_unique_vote: replaces } = poll;
  if (!options.some(({ id }) => id === option)) return said.optionGone;
  const given = own_votes.filter(({ option_id }) => option_id).length;
  return !replaces && most && given >= most ? said.allGiven(most) : undefined;
}

/** Votes for an option, or removes one's own vote for it. */
export function vote(ports: Pick<Ports, "core">, { id, poll }: WithPoll, option: string): void {
  const path = { message_id: id, poll_id: poll.id };
  const mine = poll.own_votes.find(({ option_id }) => option_id === option);
  if (mine) return attempt(ports, ports.core.call("removePollVote", { path: { ...path, vote_id: mine.id } }));
  const why = noVoteFor(poll, option);
  if (why !== undefined) showNotice(ports, why, "warning");
  else attempt(ports, ports.core.call("castPollVote", { path, body: { vote: { option_id: option } } }));
}

/** The current state of the poll a picker was opened for, or why the action is no longer possible. */
export function pollNow(
  { core, store }: Pick<Ports, "core" | "store">,
  name: PollPicker,
  about: string,
): { held: WithPoll; why?: undefined } | { held?: undefined; why: string } {
  const place = browsePlace(store.screen);
  const message = place && messageIn(store.state, place, about);
  if (!message?.poll || message.type === "deleted") return { why: said.gone };
  const held = { ...message, poll: message.poll };
  const why = refusal(name, held, { state: store.state, me: core.userId });
  return why === undefined ? { held } : { why };
}

/** Applies the choice of a poll picker. Typed text that could not be used is added to the input history. */
export function pollChosen(ports: Ports, name: PollPicker, about: string, value: string): void {
  const { core } = ports;
  const { held, why } = pollNow(ports, name, about);
  if (!held) {
    if (name !== "pollVote") ports.boxes.remember(value);
    return showNotice(ports, why, "warning");
  }
  const { id, poll } = held;
  if (name === "pollVote") return vote(ports, held, value);
  const path = { message_id: id, poll_id: poll.id };
  const work: Promise<unknown> =
    name === "pollOption"
      ? core.call("createPollOption", { path: { poll_id: poll.id }, body: { text: value } })
      : core.call("castPollVote", { path, body: { vote: { answer_text: value } } });
  work.catch((error: unknown) => {
    ports.boxes.remember(value);
    showError(ports, error);
  });
}

const end = withPoll("pollEnd", (ports, { poll }) =>
  askToConfirm(ports, { level: "moderate", question: said.endIt(cleanLine(poll.name)) }, () =>
    attempt(
      ports,
      ports.core.call("updatePollPartial", {
        path: { poll_id: poll.id },
        body: { set: { is_closed: true } },
      }),
    ),
  ),
);

const voters = withPoll("pollVoters", (ports, { id, cid }) => {
  const parentId = browsePlace(ports.store.screen)?.parentId;
  openPanel(ports, { kind: "votes", cid, id, ...(parentId !== undefined && { parentId }) });
});

export const pollActions = {
  pollVote: opensPicker("pollVote", said.vote),
  pollOption: opensPicker("pollOption", said.option),
  pollComment: opensPicker("pollComment", said.comment),
  pollEnd: end,
  pollVoters: voters,
} satisfies Record<PollAction, Action>;
