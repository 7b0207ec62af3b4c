/** Sends a message through the outbox and returns the provider's copy (R-SEND, specification/sending.md §3). */
import { DURATION } from "../base/args.ts";
import type { Core, Sent } from "../../core/core.ts";
import type { SharedLocation } from "../../wire/entities/location.ts";
import type { Message } from "../../wire/entities/message.ts";
import {
  CommandError,
  command,
  idView,
  type Args,
  type CommandCall,
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
import { INPUT_ERROR } from "../../wire/errors.ts";

/** UUID v5 namespace for ids derived from `--idempotency-key`. */
const KEY_NAMESPACE = "2f0c1f0e-6d5b-5c62-9a53-4a5f2d1f7b11";

/** The same key gives the same id, so a repeated send is not a second message (specification/wire.md §11). */
export async function idFromKey(key: string): Promise<string> {
  const { v5 } = await import("uuid");
  return v5(key, KEY_NAMESPACE);
}

/** The existing message, when an input error (code 4) means that the id is taken. */
async function findExisting(
  core: Core,
  id: string,
  error: Error & { code?: unknown },
): Promise<Message | undefined> {
  if (error.code !== INPUT_ERROR) return undefined;
  return core.call("getMessage", { path: { id } }).then(
    (reply) => reply.message,
    () => undefined,
  );
}

/** The location from `--location` and `--for`. Throws `CommandError` (usage). */
async function sharedLocation(
  call: Pick<CommandCall<Args>, "core">,
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
  mention: { kind: "list", value: "user", help: "Mention this user (repeatable)" },
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

/** Throws `CommandError` (usage) for flags that conflict or need another one. */
function checkFlags(args: SendArgs): void {
  const conflicts: readonly (readonly [boolean, string])[] = [
    [
      args.id !== undefined && args.idempotencyKey !== undefined,
      "--id and --idempotency-key are two ways to say the same: use one.",
    ],
    [args.alsoInChannel === true && !args.thread, "--also-in-channel goes with --thread."],
    [args.until !== undefined && !args.pin, "--until goes with --pin."],
    [args.for !== undefined && args.location === undefined, "--for goes with --location."],
    [
      args.poll !== undefined && args.idempotencyKey !== undefined,
      "--poll makes a poll each time: it does not go with --idempotency-key.",
    ],
  ];
  for (const [isConflict, message] of conflicts) if (isConflict) throw new CommandError("usage", message);
}

/** Additional fields of the message. */
async function fieldsOf(call: CommandCall<typeof SEND_ARGS>): Promise<Record<string, unknown>> {
  const { args } = call;
  return {
    ...readPairs(args.custom, "--custom"),
    ...(args.location !== undefined && { shared_location: await sharedLocation(call, args) }),
    ...(args.system && { type: "system" }),
    ...(args.pin && { pinned: true, ...(args.until !== undefined && { pin_expires: args.until }) }),
  };
}

/** Returns the message if an earlier run sent it with the same key; throws otherwise. */
async function afterFailure(
  core: Core,
  args: SendArgs,
  id: string | undefined,
  text: string,
  error: Error,
): Promise<Message> {
  const found = id === undefined ? undefined : await findExisting(core, id, error);
  if (found && args.idempotencyKey !== undefined && found.user.id === core.userId) {
    // Sent before with the same key (specification/sending.md §3).
    if (found.message_text_updated_at || found.text?.trim() === text.trim()) return found;
    throw new CommandError(
      "conflict",
      `The key ${args.idempotencyKey} has sent another text already, as message ${found.id}.`,
      `parley message get ${found.id}`,
    );
  }
  if (found)
    throw new CommandError(
      "conflict",
      `There is already a message ${found.id}.`,
      `parley message get ${found.id}`,
    );
  throw error;
}

/** The provider leaves out users that it does not know. */
function noteUnmentioned({ args, note }: CommandCall<typeof SEND_ARGS>, message: Message): void {
  const mentioned = new Set(message.mentioned_users?.map(({ id }) => id));
  const missing = args.mention.filter((id) => !mentioned.has(id));
  if (missing.length > 0) note?.(`not mentioned, because there is no such user: ${missing.join(", ")}`);
}

export default command({
  summary: "Send a message",
  changes: "provider",
  examples: [
    "message send -c messaging:ops deploy done",
    "message send -c @ana --file report.pdf here it is",
    "message send -c @ana --location 52.3702,4.8952 --for 1h on my way",
  ],
  args: SEND_ARGS,
  async run(call): Promise<Message> {
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
    const custom = await fieldsOf(call);
    const poll = args.poll === undefined ? undefined : await readPoll(call, args.poll);
    const id =
      args.id ?? (args.idempotencyKey === undefined ? undefined : await idFromKey(args.idempotencyKey));
    const cid = await cidOf(call, args.channel, true);
    const place = { cid, ...(args.thread !== undefined && { parentId: args.thread }) };
    const composer = core.composer(place, { transient: true });
    composer.typed(text, text.length);
    composer.quote(args.quote);
    composer.showInChannel(args.alsoInChannel === true);
    const steps = new PlannedSteps(call.dry);
    const planned = await attachOrPlan(call, composer, files, steps);
    const createdPoll = poll && (await steps.take(() => composer.poll.submit(poll)));
    if (poll && !createdPoll) custom.poll_id = poll.id;
    const send = (): Sent =>
      composer.send({
        ...planned,
        ...(id !== undefined && { id }),
        ...(args.mention.length && { mentionedUsers: args.mention }),
        ...(args.silent && { silent: true }),
        ...(Object.keys(custom).length > 0 && { custom }),
        options: {
          ...(args.skipPush && { skip_push: true }),
          ...(args.skipEnrich && { skip_enrich_url: true }),
        },
      })!;
    const outcome = await sendWithPoll(core, createdPoll, send);
    if (outcome.state === "received") noteUnmentioned(call, outcome.message);
    if (outcome.state !== "failed") return outcome.message;
    return afterFailure(core, args, id, text, outcome.error);
  },
  show: (message) => idView(message),
});
