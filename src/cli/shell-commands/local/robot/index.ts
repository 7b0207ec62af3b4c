/** `parley local robot …`: somebody who writes, reacts, votes, types and moves. */
import type { Args } from "../../../../commands/base/define-command.ts";
import { shellCommand } from "../../../base/shell-command.ts";
import type { ShellCommand } from "../../../base/shell-command.ts";

const CHANNEL = { kind: "channel", place: "positional", help: "The channel" } as const;
const ROBOT = { kind: "user", default: "robot", help: "As whom" } as const;

export const SAY_ARGS = {
  channel: CHANNEL,
  text: { kind: "words", place: "rest", help: "What it says; {n} is the number of the message" },
  user: ROBOT,
  thread: { kind: "message", help: "In the thread of this message" },
  times: { kind: "number", help: "How many messages" },
  every: { kind: "duration", value: "length", help: "Time between them, 1s" },
} as const satisfies Args;

export const REACT_ARGS = {
  message: { kind: "message", place: "positional", help: "The message" },
  type: { kind: "text", place: "positional", help: "The reaction, such as like" },
  user: ROBOT,
} as const satisfies Args;

export const VOTE_ARGS = {
  message: { kind: "message", place: "positional", help: "The message that holds the poll" },
  option: { kind: "text", place: "positional", help: "The option: its words, its number or its id" },
  user: ROBOT,
} as const satisfies Args;

export const TYPE_ARGS = {
  channel: CHANNEL,
  for: { kind: "duration", value: "length", help: "How long, 5s" },
  user: ROBOT,
} as const satisfies Args;

export const MOVE_ARGS = {
  channel: CHANNEL,
  from: { kind: "text", value: "lat,lon", required: true, help: "Where it begins" },
  to: { kind: "text", value: "lat,lon", required: true, help: "Where it ends" },
  for: { kind: "duration", value: "length", help: "How long, at least 1m; 10m" },
  every: { kind: "duration", value: "length", help: "Time between two places, 3s" },
  user: ROBOT,
} as const satisfies Args;

export const FLOOD_ARGS = {
  channel: CHANNEL,
  count: { kind: "number", place: "positional", help: "How many messages" },
  rate: { kind: "number", help: "Messages a second; as fast as clients take them" },
  user: ROBOT,
} as const satisfies Args;

export const robotCommands: Readonly<Record<string, ShellCommand>> = {
  "local robot say": shellCommand({
    summary: "Let a robot write in a channel",
    group: "Local",
    examples: ["local robot say '#ops' hello", "local robot say '#ops' 'line {n}' --times 20 --every 500ms"],
    args: SAY_ARGS,
    load: () => import("./say.ts"),
  }),
  "local robot react": shellCommand({
    summary: "Let a robot react to a message",
    group: "Local",
    examples: ["local robot react ana-7f3c like"],
    args: REACT_ARGS,
    load: () => import("./react.ts"),
  }),
  "local robot vote": shellCommand({
    summary: "Let a robot vote in a poll",
    group: "Local",
    examples: ["local robot vote ana-7f3c Soup"],
    args: VOTE_ARGS,
    load: () => import("./vote.ts"),
  }),
  "local robot type": shellCommand({
    summary: "Let a robot type in a channel",
    group: "Local",
    examples: ["local robot type '#ops' --for 10s"],
    args: TYPE_ARGS,
    load: () => import("./type.ts"),
  }),
  "local robot move": shellCommand({
    summary: "Let a robot share its location and walk",
    group: "Local",
    examples: ["local robot move '#ops' --from 59.3251,18.0711 --to 59.3202,18.0709 --for 5m"],
    args: MOVE_ARGS,
    load: () => import("./move.ts"),
  }),
  "local robot flood": shellCommand({
    summary: "Let a robot fill a channel with messages",
    group: "Local",
    examples: ["local robot flood '#ops' 10000 --rate 200"],
    args: FLOOD_ARGS,
    load: () => import("./flood.ts"),
  }),
};
