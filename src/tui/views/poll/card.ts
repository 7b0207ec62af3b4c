/** Actions on the poll of a message: vote, suggest an option, comment, end it, see who voted. */
import { hasCapability } from "../../../model/permissions.ts";
import type { ClientMessage, State } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import type { Poll } from "../../../wire/entities/poll.ts";
import { openPanel } from "../../navigation/open-channel.ts";
import { votesPanel } from "./voters.ts";
import type { Choice, Picker } from "../../screen/popup.ts";
import type { Action, Ports } from "../../ports/ports.ts";
import { browsePlace } from "../../screen/screen.ts";
import { selectedChoice, withCursorOn } from "../../screen/choices.ts";
import { messageIn, selectedIn } from "../../screen/selectors.ts";
import { askToConfirm, attempt, openPicker, showError, showNotice } from "../../screen/notices.ts";

type PollPicker = "pollVote" | "pollOption" | "pollComment";
type PollMessage = ClientMessage & { poll: Poll };

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
export function allowsPollAction(
  action: string,
  message: ClientMessage,
  viewer: Viewer,
): boolean | undefined {
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
function voteChoices(
  { options, vote_counts_by_option, own_votes }: Poll,
  choose: (option: string) => void,
): Choice[] {
  const ownVotes = new Set(own_votes.map(({ option_id }) => option_id));
  return options.map(({ id, text }) => ({
    label: cleanLine(text),
    detail: words.poll.votes(vote_counts_by_option[id] ?? 0),
    choose: () => choose(id),
    ...(ownVotes.has(id) && { mark: words.poll.mine }),
  }));
}

/** The list of options follows the poll, and closes when voting is no longer possible. */
const openVotes = withPoll("pollVote", (ports, { id, poll }) => {
  const current = (): PollMessage | string => currentPoll(ports, "pollVote", id);
  const choicesFor = (shown: Poll): Choice[] =>
    voteChoices(shown, (option) => {
      const message = current();
      if (typeof message === "string") showNotice(ports, message, "warning");
      else vote(ports, message, option);
    });
  let shown = poll;
  const refresh = (picker: Picker): Picker | string => {
    const message = current();
    if (typeof message === "string") return message;
    if (message.poll === shown) return picker;
    shown = message.poll;
    const model = ports.store.get();
    const label = selectedChoice(picker, model)?.label;
    return withCursorOn({ ...picker, choices: choicesFor(shown) }, label, model);
  };
  openPicker(ports, { title: texts.vote, choices: choicesFor(poll), refresh });
});

/** Asks for a text; one that could not be used is added to the input history. */
const askForText = (
  action: "pollOption" | "pollComment",
  title: string,
  hint: string,
  send: (core: Ports["core"], message: PollMessage, text: string) => Promise<unknown>,
): Action =>
  withPoll(action, (ports, { id }) => {
    const choose = (text: string): void => {
      const message = currentPoll(ports, action, id);
      if (typeof message === "string") {
        ports.boxes.remember(text);
        return showNotice(ports, message, "warning");
      }
      send(ports.core, message, text).catch((error: unknown) => {
        ports.boxes.remember(text);
        showError(ports, error);
      });
    };
    openPicker(ports, {
      title,
      hint,
      choices: ({ query }) =>
        query === "" ? [] : [{ label: `“${cleanLine(query)}”`, choose: () => choose(query) }],
    });
  });

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
function currentPoll(
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
  openPanel(ports, votesPanel(cid, id, parentId));
});

export const pollActions = {
  pollVote: openVotes,
  pollOption: askForText("pollOption", texts.option, texts.typeOption, (core, { poll }, text) =>
    core.call("createPollOption", { path: { poll_id: poll.id }, body: { text } }),
  ),
  pollComment: askForText("pollComment", texts.comment, texts.typeComment, (core, { id, poll }, text) =>
    core.call("castPollVote", {
      path: { message_id: id, poll_id: poll.id },
      body: { vote: { answer_text: text } },
    }),
  ),
  pollEnd: endPoll,
  pollVoters: openVoters,
} satisfies Record<PollAction, Action>;
