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
type PollMessage = HeldMessage & { poll: Poll };

const texts = words.poll.card;
const isMine = ({ poll }: PollMessage, me: string | undefined): boolean =>
  (poll.created_by_id ?? poll.created_by?.id) === me;

interface Viewer {
  state: State;
  me: string | undefined;
}

/** Actions that cast a vote. */
const VOTES: ReadonlySet<string> = new Set(["pollVote", "pollComment"]);

/** Why an action is not possible with this poll; undefined if it is. */
function refusal(action: PollAction, message: PollMessage, { state, me }: Viewer): string | undefined {
  const { poll } = message;
  if (VOTES.has(action) && !hasCapability(state.channels.get(message.cid), "cast-poll-vote"))
    return words.acting.notAllowed("cast-poll-vote");
  if (action !== "pollVoters" && poll.is_closed) return texts.closed;
  if (action === "pollComment" && !poll.allow_answers) return texts.noComments;
  if (action === "pollOption" && !poll.allow_user_suggested_options && !isMine(message, me))
    return texts.noOptions;
  if (action === "pollEnd" && !isMine(message, me)) return texts.notYours;
  return undefined;
}

type PollAction = PollPicker | "pollEnd" | "pollVoters";

/** For the message menu: whether a poll action is possible; undefined for other actions. */
export function allowsPollAction(action: string, message: HeldMessage, viewer: Viewer): boolean | undefined {
  if (!Object.hasOwn(pollActions, action)) return undefined;
  const { poll } = message;
  return (
    poll !== undefined &&
    poll !== null &&
    refusal(action as PollAction, { ...message, poll }, viewer) === undefined
  );
}

const withPoll =
  (action: PollAction, act: (ports: Ports, message: PollMessage) => void): Action =>
  (ports) => {
    const model = ports.store.get();
    const message = selectedIn(model);
    if (!message?.poll) return showNotice(ports, texts.none);
    const pollMessage = { ...message, poll: message.poll };
    const reason = refusal(action, pollMessage, { state: model.state, me: ports.core.userId });
    if (reason === undefined) act(ports, pollMessage);
    else showNotice(ports, reason, "warning");
  };

/** The options with their votes, one's own marked. */
export function voteChoices({ options, vote_counts_by_option, own_votes }: Poll): Choice[] {
  const ownVotes = new Set(own_votes.map(({ option_id }) => option_id));
  return options.map(({ id, text }) => ({
    label: cleanLine(text),
    detail: words.poll.votes(vote_counts_by_option[id] ?? 0),
    value: id,
    ...(ownVotes.has(id) && { mark: words.poll.mine }),
  }));
}

const pickerAction = (name: PollPicker, title: string): Action =>
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
function voteRefusal(poll: Poll, option: string): string | undefined {
  const { options, own_votes, max_votes_allowed: maxVotes, enforce_unique_vote: replacesVote } = poll;
  if (!options.some(({ id }) => id === option)) return texts.optionGone;
  const voteCount = own_votes.filter(({ option_id }) => option_id).length;
  return !replacesVote && maxVotes && voteCount >= maxVotes ? texts.allGiven(maxVotes) : undefined;
}

/** Votes for an option, or removes one's own vote for it. */
export function vote(ports: Pick<Ports, "core">, { id, poll }: PollMessage, option: string): void {
  const path = { message_id: id, poll_id: poll.id };
  const ownVote = poll.own_votes.find(({ option_id }) => option_id === option);
  if (ownVote)
    return attempt(ports, ports.core.call("removePollVote", { path: { ...path, vote_id: ownVote.id } }));
  const reason = voteRefusal(poll, option);
  if (reason !== undefined) showNotice(ports, reason, "warning");
  else attempt(ports, ports.core.call("castPollVote", { path, body: { vote: { option_id: option } } }));
}

/** The current message of the poll that a picker was opened for, or why the action is no longer possible. */
export function currentPoll(
  { core, store }: Pick<Ports, "core" | "store">,
  name: PollPicker,
  about: string,
): PollMessage | string {
  const place = browsePlace(store.screen);
  const message = place && messageIn(store.state, place, about);
  if (!message?.poll || message.type === "deleted") return texts.gone;
  const pollMessage = { ...message, poll: message.poll };
  return refusal(name, pollMessage, { state: store.state, me: core.userId }) ?? pollMessage;
}

/** Applies the choice of a poll picker. Typed text that could not be used is added to the input history. */
export function onPollChosen(ports: Ports, name: PollPicker, about: string, value: string): void {
  const { core } = ports;
  const message = currentPoll(ports, name, about);
  if (typeof message === "string") {
    if (name !== "pollVote") ports.boxes.remember(value);
    return showNotice(ports, message, "warning");
  }
  const { id, poll } = message;
  if (name === "pollVote") return vote(ports, message, value);
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

const endPoll = withPoll("pollEnd", (ports, { poll }) =>
  askToConfirm(ports, { level: "moderate", question: texts.endIt(cleanLine(poll.name)) }, () =>
    attempt(
      ports,
      ports.core.call("updatePollPartial", {
        path: { poll_id: poll.id },
        body: { set: { is_closed: true } },
      }),
    ),
  ),
);

const openVoters = withPoll("pollVoters", (ports, { id, cid }) => {
  const parentId = browsePlace(ports.store.screen)?.parentId;
  openPanel(ports, { kind: "votes", cid, id, ...(parentId !== undefined && { parentId }) });
});

export const pollActions = {
  pollVote: pickerAction("pollVote", texts.vote),
  pollOption: pickerAction("pollOption", texts.option),
  pollComment: pickerAction("pollComment", texts.comment),
  pollEnd: endPoll,
  pollVoters: openVoters,
} satisfies Record<PollAction, Action>;
