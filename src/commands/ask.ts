/** Asks a question in a channel and waits for the answer, for scripts that need approval. */
import type { Core } from "../core/core.ts";
import { POLLS_LIMIT, QUERY_MESSAGES_LIMIT, QUERY_REACTIONS_LIMIT } from "../wire/constants.ts";
import type { AnyEvent } from "../wire/events.ts";
import type { Message } from "../wire/entities/message.ts";
import type { Poll } from "../wire/entities/poll.ts";
import { filledPollForm } from "../model/poll-form.ts";
import { CommandError, command, type Args, type Call, type ArgValues } from "./base/define-command.ts";
import { cidOf, pathOf } from "./base/resolve-channel.ts";
import { textOf } from "./base/text.ts";
import { GIVE_UP, waitForEvents } from "./base/wait-for-events.ts";
import { userIds } from "./base/bulk/names.ts";
import { PlannedSteps } from "./base/planned-steps.ts";
import { checkedPoll } from "./poll/form.ts";
import { sendWithPoll } from "./poll/send-with-poll.ts";

const ASK_ARGS = {
  channel: { kind: "channel", positional: true, help: "The channel, or @user" },
  question: {
    kind: "words",
    positional: "rest",
    help: "The question, or - for standard input; answered in its thread or by quoting it, between two people by any message",
  },
  options: {
    kind: "text",
    value: "a,b",
    help: "Ask with a poll of these options; choosing the first ends with exit code 0",
  },
  reactions: { kind: "text", value: "a,b", help: "Also accept these reactions as answers" },
  expect: { kind: "text", value: "a,b", help: "Exit with 15 unless the answer is one of these" },
  user: {
    kind: "list",
    value: "user",
    help: "Only this user may answer (repeatable; default: anybody else)",
  },
  within: GIVE_UP,
} as const satisfies Args;

type AskArgs = ArgValues<typeof ASK_ARGS>;

interface Answer {
  answer: string;
  by: "vote" | "reply" | "reaction";
  user_id: string;
  at: string;
}

interface AskResult extends Answer {
  question: string;
  message_id: string;
  expected: boolean;
}

const splitList = (text: string | undefined): string[] =>
  (text ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);

const isSameText = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase();

/** A question that was sent, and the search for its answer. */
class SentQuestion {
  readonly #core: Core;
  readonly #message: Message;
  readonly #poll: Poll | undefined;
  readonly #accepted: { options: string[]; reactions: string[]; from: ReadonlySet<string> };

  constructor(core: Core, message: Message, poll: Poll | undefined, args: AskArgs) {
    this.#core = core;
    this.#message = message;
    this.#poll = poll;
    this.#accepted = {
      options: splitList(args.options),
      reactions: splitList(args.reactions),
      from: new Set(userIds(args.user)),
    };
  }

  concerns = (event: AnyEvent): boolean => {
    const { type, cid } = event;
    return cid === this.#message.cid && /^(message\.new|poll\.vote_|reaction\.)/.test(type);
  };

  /** The earliest answer, if any. */
  async findAnswer(): Promise<Answer | undefined> {
    const all = (await Promise.all([this.#votes(), this.#replies(), this.#reactions()])).flat();
    return all.filter(({ user_id: id }) => this.#mayAnswer(id)).toSorted((a, b) => (a.at < b.at ? -1 : 1))[0];
  }

  #mayAnswer(user: string): boolean {
    const { from } = this.#accepted;
    return from.size > 0 ? from.has(user) : user !== this.#message.user.id;
  }

  async #votes(): Promise<Answer[]> {
    if (!this.#poll) return [];
    const names = new Map(this.#poll.options.map(({ id, text }) => [id, text]));
    const path = { poll_id: this.#poll.id };
    const { votes } = await this.#core.call("queryPollVotes", {
      path,
      query: {},
      body: { filter: {}, sort: [{ field: "created_at", direction: 1 }], limit: POLLS_LIMIT[1] },
    });
    return votes.flatMap(({ option_id: option = "", user_id: user, created_at: at }) =>
      names.has(option) && user !== undefined
        ? [{ answer: names.get(option)!, by: "vote", user_id: user, at }]
        : [],
    );
  }

  /** Replies in the thread or quoting the question; in a channel of two, any later message. */
  async #replies(): Promise<Answer[]> {
    const { cid, id } = this.#message;
    const limit = QUERY_MESSAGES_LIMIT[1];
    const [thread, later] = await Promise.all([
      this.#core.call("getReplies", { path: { parent_id: id }, query: { limit } }),
      this.#core.call("queryChannel", {
        path: pathOf(cid),
        body: { state: true, watch: false, messages: { limit, id_gt: id } },
      }),
    ]);
    const betweenTwo = later.channel.member_count === 2;
    const direct = later.messages.filter(({ quoted_message_id: quoted }) => betweenTwo || quoted === id);
    return [...thread.messages, ...direct].flatMap((reply) => this.#replyAnswers(reply));
  }

  /** With options, a reply must be one of them. */
  #replyAnswers({ text = "", user, created_at: at }: Message): Answer[] {
    const { options } = this.#accepted;
    const answer = options.length === 0 ? text : options.find((option) => isSameText(option, text));
    return answer === undefined ? [] : [{ answer, by: "reply", user_id: user.id, at }];
  }

  async #reactions(): Promise<Answer[]> {
    const { reactions: accepted } = this.#accepted;
    if (accepted.length === 0) return [];
    const body = { filter: { type: { $in: accepted } }, limit: QUERY_REACTIONS_LIMIT[1] };
    const { reactions } = await this.#core.call("queryReactions", { path: { id: this.#message.id }, body });
    return reactions.map(({ type, user_id: user, created_at: at }) => ({
      answer: type,
      by: "reaction",
      user_id: user,
      at,
    }));
  }
}

/** Sends the question, as a poll if there are options; a dry run plans the poll and its message. */
async function sendQuestion(
  call: Call<typeof ASK_ARGS>,
  cid: string,
  question: string,
): Promise<[Message, Poll | undefined]> {
  const { core } = call;
  const composer = core.composer({ cid }, { transient: true });
  const options = splitList(call.args.options);
  let poll: Poll | undefined;
  let planned: { custom?: Record<string, unknown> } = {};
  if (options.length > 0) {
    const fields = { name: question, options, enforce_unique_vote: true };
    const form = checkedPoll(filledPollForm(fields, core.userId ?? "", () => call.random()));
    poll = await new PlannedSteps(call.dry).take(() => composer.poll.submit(form));
    if (!poll) planned = { custom: { poll_id: form.id } };
  } else composer.typed(question, question.length);
  const outcome = await sendWithPoll(core, poll, () => composer.send(planned)!);
  if (outcome.state === "failed") throw outcome.error;
  return [outcome.message, poll];
}

/** Answers that exit with 0; undefined = all. */
function acceptedAnswers({ expect, options }: AskArgs): readonly string[] | undefined {
  const expected = splitList(expect);
  if (expected.length > 0) return expected;
  const [first] = splitList(options);
  return first === undefined ? undefined : [first];
}

/** Throws `CommandError` (usage) for a question nobody could answer. */
function checkArgs(args: AskArgs): void {
  for (const name of ["options", "reactions", "expect"] as const)
    if (args[name] !== undefined && splitList(args[name]).length === 0)
      throw new CommandError("usage", `--${name} names nothing.`, `Write --${name} yes,no, or leave it out.`);
  const known = [...splitList(args.options), ...splitList(args.reactions)];
  const unanswerable = splitList(args.expect).find((one) => !known.some((other) => isSameText(one, other)));
  if (splitList(args.options).length > 0 && unanswerable !== undefined)
    throw new CommandError("usage", `--expect names '${unanswerable}', which is not a possible answer.`);
}

export default command({
  summary: "Ask a question in a channel and print the answer",
  group: "Scripts",
  changes: "provider",
  examples: [
    "ask '#ops' 'Deploy to production?' --options yes,no --within 10m",
    "ask @ana 'Which version?' --within 1h",
    "ask '#ops' 'Roll back?' --reactions yes,no --expect yes --user ana",
  ],
  args: ASK_ARGS,
  shellOnly: "waits for others",
  needsStore: true,
  async run(call): Promise<AskResult> {
    const { args, core } = call;
    checkArgs(args);
    const question = (await textOf(call, args.question)).trim();
    if (question === "") throw new CommandError("usage", "The question is missing.");
    const cid = await cidOf(call, args.channel, true);
    const [message, poll] = await sendQuestion(call, cid, question);
    const sentQuestion = new SentQuestion(core, message, poll, args);
    const { concerns } = sentQuestion;
    const found = await waitForEvents(call, cid, { within: args.within, concerns }, () =>
      sentQuestion.findAnswer(),
    );
    if (poll) await core.call("updatePollPartial", closePoll(poll)).catch(() => {});
    if (!found)
      throw new CommandError("pending", "Nobody answered in time.", `parley message get ${message.id}`);
    const expected = acceptedAnswers(args)?.some((one) => isSameText(one, found.answer)) ?? true;
    return { question, message_id: message.id, ...found, expected };
  },
  show: ({ answer }) => answer,
  fault: ({ answer, expected }) =>
    expected ? undefined : new CommandError("otherAnswer", `The answer is ${answer}.`),
});

/** Closes the poll, so that nobody votes in vain. */
const closePoll = ({ id }: Poll) => ({ path: { poll_id: id }, body: { set: { is_closed: true } } });
