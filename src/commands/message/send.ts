/** Sends a message through the outbox and returns the provider's copy (R-SEND, specification/sending.md §3). */
import { DURATION } from "../base/args.ts";
import type { Composer } from "../../core/composer/composer.ts";
import type { Core, SendOutcome, Sent } from "../../core/core.ts";
import { AudienceError } from "../../model/audience.ts";
import { withHint } from "../../model/errors.ts";
import { receivedMessage, type ReceivedMessage } from "../../model/client-message.ts";
import type { ClientMessage, ThreadRef } from "../../model/state.ts";
import type { SharedLocation } from "../../wire/entities/location.ts";
import type { Message } from "../../wire/entities/message.ts";
import {
  CommandError,
  command,
  idView,
  type Args,
  type Call,
  type MeasuredTime,
  type ArgValues,
} from "../base/define-command.ts";
import { liveLocationEnd, readPosition } from "../location/position.ts";
import { CUSTOM, readPairs } from "../base/custom-fields.ts";
import { cidOf } from "../base/resolve-channel.ts";
import { textOf } from "../base/text.ts";
import { readPoll } from "../poll/file.ts";
import { sendWithPoll } from "../poll/send-with-poll.ts";
import { attachOrPlan } from "../base/attach.ts";
import { PlannedSteps } from "../base/planned-steps.ts";
import { userIds } from "../base/bulk/names.ts";
import { MENTION, nameMentions, requireNamed } from "../base/mentions.ts";
import { requirePeople } from "./require-people.ts";
import { INPUT_ERROR, NOT_ALLOWED } from "../../wire/errors.ts";
import {
  findRepeated,
  findTaken,
  idFromKey,
  recordFirst,
  requireSame,
  type ChosenSend,
  type SentContent,
} from "./first-sent.ts";

/** The location from `--location` and `--for`. Throws `CommandError` (usage). */
async function sharedLocation(
  call: Pick<Call<Args>, "core">,
  args: { location?: string; for?: MeasuredTime },
): Promise<SharedLocation> {
  const end = liveLocationEnd(args.for);
  return {
    ...(await readPosition(args.location!)),
    created_by_device_id: call.core.locations.deviceId(),
    ...(end === undefined ? {} : { end_at: end }),
  };
}

const SEND_ARGS = {
  channel: { kind: "channel", short: "c", defaultsToCurrent: true, help: "The channel" },
  text: { kind: "words", positional: "rest", optional: true, help: "The text, or - for standard input" },
  file: { kind: "list", value: "file", short: "f", help: "Attach a file (repeatable)" },
  thread: { kind: "message", help: "Reply in the thread of this message" },
  alsoInChannel: { kind: "flag", help: "Show the reply in the channel too" },
  quote: { kind: "message", help: "Quote this message" },
  mention: MENTION,
  onlyFor: {
    kind: "list",
    value: "user",
    help: "Show it only to these users and yourself, - to everybody (default: who sees the thread and the quote; repeatable)",
  },
  silent: { kind: "flag", help: "Mark it unread for nobody and notify nobody" },
  skipPush: { kind: "flag", help: "Send no push notification" },
  skipEnrich: { kind: "flag", help: "Add no link preview" },
  poll: { kind: "file", help: "Attach a poll from a file with its name and options (YAML or JSON)" },
  location: {
    kind: "text",
    value: "lat,lon|town",
    help: "Attach a location: latitude,longitude in degrees, or a larger town",
  },
  for: { ...DURATION, help: "With --location: share it live for this long" },
  pin: { kind: "flag", help: "Pin it to the channel" },
  until: { kind: "time", direction: "future", help: "When the pin ends" },
  system: { kind: "flag", help: "Send it as a system message (moderators and servers)" },
  custom: CUSTOM,
  id: { kind: "message", help: "Choose the id of the message" },
  idempotencyKey: {
    kind: "text",
    value: "key",
    help: "Derive the id from this key, so that a repeated send is the same message",
  },
} as const satisfies Args;
type SendArgs = ArgValues<typeof SEND_ARGS>;

/** Those of `--only-for`; none for `-`, which is everybody. */
const chosenPeople = ({ onlyFor }: Pick<SendArgs, "onlyFor">): string[] =>
  onlyFor.length === 1 && onlyFor[0] === "-" ? [] : userIds(onlyFor);

/** Chooses who sees the message; else finds out who sees what it answers, and tells whether it is kept for them (R-SEND-16). */
async function keepsAudience({ args, core }: Call<typeof SEND_ARGS>, composer: Composer): Promise<boolean> {
  if (args.onlyFor.length === 0) return (await composer.findAudience().catch(refusedAsPrivate)).length > 0;
  const people = chosenPeople(args);
  await requirePeople(core, people);
  composer.onlyFor(people);
  return false;
}

/** The refusal of a message that keeps the people of the one it answers tells how to write to all. */
export function refusedAsPrivate(error: unknown): never {
  const isRight =
    (error instanceof AudienceError && error.why === "right") ||
    (error as { code?: unknown }).code === NOT_ALLOWED;
  if (!isRight) throw error;
  throw withHint(
    error,
    "it would be shown only to those who see what it answers; --only-for - shows it to everybody",
  );
}

/** Throws `CommandError` (usage) for flags that conflict or need another one. */
function checkFlags(args: SendArgs): void {
  const conflicts: readonly (readonly [boolean, string])[] = [
    [
      args.id !== undefined && args.idempotencyKey !== undefined,
      "--id and --idempotency-key are two ways to say the same: use one.",
    ],
    [args.alsoInChannel === true && !args.thread, "--also-in-channel goes with --thread."],
    [args.until !== undefined && !args.pin, "--until goes with --pin."],
    [
      args.pin && chosenPeople(args).length > 0,
      "--pin shows it to everybody: it does not go with --only-for.",
    ],
    [args.for !== undefined && args.location === undefined, "--for goes with --location."],
    [
      args.poll !== undefined && args.idempotencyKey !== undefined,
      "--poll makes a poll each time: it does not go with --idempotency-key.",
    ],
  ];
  for (const [isConflict, message] of conflicts) if (isConflict) throw new CommandError("usage", message);
}

/** Additional fields of the message. */
async function fieldsOf(call: Call<typeof SEND_ARGS>): Promise<Record<string, unknown>> {
  const { args } = call;
  return {
    ...readPairs(args.custom, "--custom"),
    ...(args.location !== undefined && { shared_location: await sharedLocation(call, args) }),
    ...(args.system && { type: "system" }),
    ...(args.pin && { pinned: true, ...(args.until !== undefined && { pin_expires: args.until }) }),
  };
}

/** The send under the id that `--id` or the key chooses, if one does. */
async function chosenSend(
  { args, core }: Call<typeof SEND_ARGS>,
  content: SentContent,
): Promise<ChosenSend | undefined> {
  const { id, idempotencyKey: key } = args;
  if (id !== undefined) return { id, key: undefined, content };
  if (key === undefined) return undefined;
  return { id: await idFromKey(core.userId ?? "", content, key), key, content };
}

/**
 * The message waits on this machine already, from an earlier run with `--queue` or one that was killed: the same one is
 * sent by this run instead. Throws `CommandError` (conflict) for another one.
 */
function replaceWaiting({ core, dry }: Pick<Call<Args>, "core" | "dry">, chosen: ChosenSend): void {
  const { id, content } = chosen;
  const waiting = core.unsent().find((row) => row.id === id && row.kind === "send" && !row.busy);
  if (!waiting || dry) return;
  const isSame = waiting.cid === content.cid && waiting.text?.trim() === content.text.trim();
  if (!waiting.killed && (!isSame || content.attachments.length > 0))
    throw new CommandError(
      "conflict",
      `Message ${id} waits to be sent already.`,
      `parley outbox retry ${id}`,
    );
  core.dropUnsent(id);
}

const noteRepeated = ({ note }: Pick<Call<Args>, "note">, { id }: Message): void =>
  note?.(`nothing would be sent: it was sent as ${id}`);

/** The refusal of a send that a dry run tried is judged like the one of a real send; a plan is none. */
function asOutcome(error: Error & { tried?: true }): SendOutcome {
  if (!error.tried) throw error;
  return { state: "failed", error } as SendOutcome;
}

/** The message of a finished send. A refusal because the id is taken is none if it is the same message (specification/sending.md §3). */
async function messageOf(core: Core, chosen: ChosenSend | undefined, outcome: SendOutcome): Promise<Message> {
  if (outcome.state === "waiting") return outcome.message;
  if (outcome.state === "failed") {
    const { code } = outcome.error as { code?: unknown };
    const found = chosen && code === INPUT_ERROR ? await findTaken(core, chosen) : undefined;
    if (found) return receivedMessage(found);
    throw outcome.error;
  }
  if (chosen && outcome.found) return receivedMessage(await requireSame(core, outcome.message, chosen));
  if (chosen) await recordFirst(core, chosen);
  return outcome.message;
}

/** The provider leaves out users that it does not know. */
function noteUnmentioned({ note }: Call<typeof SEND_ARGS>, asked: readonly string[], message: Message): void {
  const mentioned = new Set(message.mentioned_users?.map(({ id }) => id));
  const missing = asked.filter((id) => !mentioned.has(id));
  if (missing.length > 0) note?.(`not mentioned, because there is no such user: ${missing.join(", ")}`);
}

/** A composer with the text, the users that it mentions, and what it answers. */
async function fillComposer(
  call: Call<typeof SEND_ARGS>,
  place: ThreadRef,
  text: string,
  asked: Awaited<ReturnType<typeof requireNamed>>,
): Promise<Composer> {
  const { args, core } = call;
  const composer = core.composer(place, { transient: true });
  composer.typed(text, text.length);
  await nameMentions(call, composer, args.text, asked);
  composer.quote(args.quote);
  composer.showInChannel(args.alsoInChannel === true);
  return composer;
}

export default command({
  summary: "Send a message",
  changes: "provider",
  examples: [
    "message send -c messaging:ops deploy done",
    "message send -c @ana --file report.pdf here it is",
    "message send -c messaging:ops --only-for bo,cy the key has changed",
    "message send -c @ana --location 52.3702,4.8952 --for 1h on my way",
  ],
  args: SEND_ARGS,
  async run(call): Promise<Message & Pick<ReceivedMessage | ClientMessage, "status">> {
    const { args, core } = call;
    checkFlags(args);
    const text = await textOf(call, args.text);
    const files = args.file;
    if (text.trim() === "" && files.length === 0 && args.poll === undefined && args.location === undefined)
      throw new CommandError(
        "usage",
        "Nothing to send.",
        "Give a text, - for standard input, --file, --poll or --location.",
      );
    const asked = await requireNamed(call, text, args.mention);
    const mentionedUsers = [...asked.keys()];
    const custom = await fieldsOf(call);
    const poll = args.poll === undefined ? undefined : await readPoll(call, args.poll);
    const cid = await cidOf(call, args.channel, true);
    const place = { cid, ...(args.thread !== undefined && { parentId: args.thread }) };
    const composer = await fillComposer(call, place, text, asked);
    const steps = new PlannedSteps(call.dry);
    const planned = await attachOrPlan(call, composer, files, steps);
    const chosen = await chosenSend(call, {
      ...place,
      text,
      attachments:
        planned.attachments ?? composer.attachments.state().uploads.map(({ attachment }) => attachment),
      quote: args.quote,
      poll: poll?.id,
      location: custom.shared_location as SharedLocation | undefined,
    });
    const repeated = chosen && (await findRepeated(core, chosen, call.dry));
    if (repeated) {
      if (call.dry) noteRepeated(call, repeated);
      return receivedMessage(repeated);
    }
    const isKept = await keepsAudience(call, composer);
    const createdPoll = poll && (await steps.take(() => composer.poll.submit(poll)));
    if (poll && !createdPoll) custom.poll_id = poll.id;
    if (chosen) replaceWaiting(call, chosen);
    const send = (): Sent =>
      composer.send({
        ...planned,
        ...(chosen && { id: chosen.id }),
        ...(mentionedUsers.length > 0 && { mentionedUsers }),
        ...(args.silent && { silent: true }),
        ...(Object.keys(custom).length > 0 && { custom }),
        options: {
          ...(args.skipPush && { skip_push: true }),
          ...(args.skipEnrich && { skip_enrich_url: true }),
        },
      })!;
    const outcome = await sendWithPoll(core, createdPoll, send).catch(asOutcome);
    if (outcome.state === "received") noteUnmentioned(call, mentionedUsers, outcome.message);
    const sent = messageOf(core, chosen, outcome);
    const message = await (isKept ? sent.catch(refusedAsPrivate) : sent);
    if (call.dry) noteRepeated(call, message);
    return message;
  },
  show: (message) => idView(message),
});
