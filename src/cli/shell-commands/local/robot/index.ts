/** `parley local robot …`: simulated users who write, react, vote, type and move. */
import type { Args } from "../../../../commands/base/define-command.ts";
import { shellCommand } from "../../../base/shell-command.ts";
import type { ShellCommand } from "../../../base/shell-command.ts";

const CHANNEL = { kind: "channel", place: "positional", help: "The channel" } as const;
const ROBOT = { kind: "user", default: "robot", help: "The user to act as" } as const;

export const SAY_ARGS = {
  channel: CHANNEL,
  text: { kind: "words", place: "rest", help: "The text; {n} is the number of the message" },
  user: ROBOT,
  thread: { kind: "message", help: "Write in the thread of this message" },
  times: { kind: "number", from: 1, help: "How many messages" },
  every: { kind: "duration", value: "length", help: "Time between messages (1s)" },
} as const satisfies Args;

export const REACT_ARGS = {
  message: { kind: "message", place: "positional", help: "The message" },
  type: { kind: "text", place: "positional", help: "The reaction, such as like" },
  user: ROBOT,
} as const satisfies Args;

export const VOTE_ARGS = {
  message: { kind: "message", place: "positional", help: "The message that contains the poll" },
  option: { kind: "text", place: "positional", help: "The option: its number, text or id" },
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
  count: { kind: "number", place: "positional", help: "How many messages" },
  rate: { kind: "number", help: "Messages per second (default: as fast as clients accept them)" },
  user: ROBOT,
} as const satisfies Args;

export const robotCommands: Readonly<Record<string, ShellCommand>> = {
  "local robot say": shellCommand({
    summary: "Make a robot write in a channel",
    group: "Local",
    examples: ["local robot say '#ops' hello", "local robot say '#ops' 'line {n}' --times 20 --every 500ms"],
    args: SAY_ARGS,
    load: () => import("./say.ts"),
  }),
  "local robot react": shellCommand({
    summary: "Make a robot react to a message",
    group: "Local",
    examples: ["local robot react ana-7f3c like", "local robot react ana-7f3c love --user bo"],
    args: REACT_ARGS,
    load: () => import("./react.ts"),
  }),
  "local robot vote": shellCommand({
    summary: "Make a robot vote in a poll",
    group: "Local",
    examples: ["local robot vote ana-7f3c Soup", "local robot vote ana-7f3c 1 --user bo"],
    args: VOTE_ARGS,
    load: () => import("./vote.ts"),
  }),
  "local robot type": shellCommand({
    summary: "Make a robot type in a channel",
    group: "Local",
    examples: ["local robot type '#ops' --for 10s", "local robot type '#ops' --user bo"],
    args: TYPE_ARGS,
    load: () => import("./type.ts"),
  }),
  "local robot move": shellCommand({
    summary: "Make a robot share a moving location",
    group: "Local",
    examples: [
      "local robot move '#ops' --from 59.3251,18.0711 --to 59.3202,18.0709 --for 5m",
      "local robot move '#ops' --from 59.3251,18.0711 --to 59.3202,18.0709 --every 5s",
    ],
    args: MOVE_ARGS,
    load: () => import("./move.ts"),
  }),
  "local robot flood": shellCommand({
    summary: "Make a robot flood a channel with messages",
    group: "Local",
    examples: ["local robot flood '#ops' 10000 --rate 200", "local robot flood '#ops' 100 --user bo"],
    args: FLOOD_ARGS,
    load: () => import("./flood.ts"),
  }),
};
