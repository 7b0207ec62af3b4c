/** Arguments of `parley local robot …`. */
import type { Args } from "../../../../commands/base/define-command.ts";

const CHANNEL = { kind: "channel", positional: true, help: "The channel" } as const;
const ROBOT = { kind: "user", default: "robot", help: "The user to act as" } as const;

export const SAY_ARGS = {
  channel: CHANNEL,
  text: { kind: "words", positional: "rest", help: "The text; {n} is the number of the message" },
  user: ROBOT,
  thread: { kind: "message", help: "Write in the thread of this message" },
  times: { kind: "number", from: 1, help: "How many messages" },
  every: { kind: "duration", value: "length", help: "Time between messages (1s)" },
} as const satisfies Args;

export const REACT_ARGS = {
  message: { kind: "message", positional: true, help: "The message" },
  type: { kind: "text", positional: true, help: "The reaction, such as like" },
  user: ROBOT,
} as const satisfies Args;

export const VOTE_ARGS = {
  message: { kind: "message", positional: true, help: "The message that contains the poll" },
  option: { kind: "text", positional: true, help: "The option: its number, text or id" },
  user: ROBOT,
} as const satisfies Args;

export const TYPE_ARGS = {
  channel: CHANNEL,
  for: { kind: "duration", value: "length", help: "For how long (5s)" },
  user: ROBOT,
} as const satisfies Args;

export const MOVE_ARGS = {
  channel: CHANNEL,
  from: { kind: "text", value: "lat,lon", required: true, help: "Starting point" },
  to: { kind: "text", value: "lat,lon", required: true, help: "End point" },
  for: { kind: "duration", value: "length", help: "For how long, at least 1m (10m)" },
  every: { kind: "duration", value: "length", help: "Time between two positions (3s)" },
  user: ROBOT,
} as const satisfies Args;

export const FLOOD_ARGS = {
  channel: CHANNEL,
  count: { kind: "number", positional: true, help: "How many messages" },
  rate: { kind: "number", help: "Messages per second (default: as fast as clients accept them)" },
  user: ROBOT,
} as const satisfies Args;
