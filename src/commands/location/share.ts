/** Shares a static location in a channel, or with a duration a live one (specification/locations.md). */
import { DURATION } from "../base/args.ts";
import { setTimeout as pause } from "node:timers/promises";
import { refusesCredentials } from "../../wire/errors.ts";
import type { SharedLocation } from "../../wire/entities/location.ts";
import type { Message } from "../../wire/entities/message.ts";
import { count, firstFew } from "../../text/words.ts";
import { CommandError, command, idView } from "../base/define-command.ts";
import { nameMentions } from "../base/mentions.ts";
import { cidOf } from "../base/resolve-channel.ts";
import { followPositions } from "./follow.ts";
import { liveLocationEnd, POSITION, readPosition } from "./position.ts";
import { inputOf } from "../base/text.ts";

/** The message with the location; `wrong_lines` are invalid lines of standard input. */
type SharedMessage = Message & { moves?: number; wrong_lines?: number[] };

export default command({
  summary: "Share a location, static or live",
  changes: "provider",
  chatAlias: "share",
  examples: [
    "location share messaging:ops 52.3702,4.8952",
    "location share '#ops' Amsterdam --for 1h",
    "location share '#ops' 52.3702,4.8952 --for 8h --follow",
  ],
  args: {
    channel: { kind: "channel", positional: true, defaultsToCurrent: true, help: "The channel" },
    position: POSITION,
    for: { ...DURATION, help: "Share it live for this long" },
    text: { kind: "text", help: "Text of the message" },
    follow: {
      kind: "flag",
      help: "Read latitude,longitude lines from standard input and move along them; sharing ends with the input",
    },
    device: { kind: "text", value: "id", help: "Id of the moving device (default: this one)" },
  },
  needsStore: true,
  async run(call): Promise<SharedMessage> {
    const { args, core } = call;
    const at = await readPosition(args.position);
    const end = liveLocationEnd(args.for);
    if (args.follow && end === undefined)
      throw new CommandError("usage", "--follow goes with --for: only a live location moves.");
    if (args.follow) inputOf(call);
    const cid = await cidOf(call, args.channel, true);
    const shared_location: SharedLocation = {
      ...at,
      created_by_device_id: args.device ?? core.locations.deviceId(),
      ...(end === undefined ? {} : { end_at: end }),
    };
    const composer = core.composer({ cid }, { transient: true });
    const text = args.text ?? "";
    composer.typed(text, text.length);
    await nameMentions(call, composer, text);
    const outcome = await composer.send({ custom: { shared_location } })!.outcome;
    if (outcome.state === "failed") throw outcome.error;
    const { message } = outcome;
    if (!args.follow) return message;
    const move = async (change: object): Promise<void> => {
      await core.call("updateLiveLocation", { query: {}, body: { message_id: message.id, ...change } });
    };
    const { sent, invalid: invalidLines } = await followPositions({
      input: call.input!(),
      from: at,
      send: move,
      endsLocation: (error) => {
        const code = Number((error as { code?: unknown }).code);
        return [4, 16, 19].includes(code) || refusesCredentials(code) || call.signal.aborted;
      },
      wait: (ms) => pause(ms, undefined, { signal: call.signal }),
      now: () => call.now(),
    });
    await core.locations.stop(message.id);
    return { ...message, moves: sent, ...(invalidLines.length > 0 && { wrong_lines: invalidLines }) };
  },
  fault: ({ wrong_lines }) =>
    wrong_lines &&
    new CommandError(
      "partial",
      `${count(wrong_lines.length, "line")} of standard input ${wrong_lines.length === 1 ? "is not a position" : "are not positions"}: ${firstFew(wrong_lines)}.`,
      "Write latitude,longitude in degrees: 52.37,4.89.",
    ),
  show: (message) => idView(message),
});
