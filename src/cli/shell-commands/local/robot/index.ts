/** `parley local robot …`: simulated users who write, react, vote, type and move. */
import { commandInGroup, type ShellCommand } from "../../../base/shell-command.ts";
import { SAY_ARGS, REACT_ARGS, VOTE_ARGS, TYPE_ARGS, MOVE_ARGS, FLOOD_ARGS } from "./args.ts";

const local = commandInGroup("Local");

export const robotCommands: Readonly<Record<string, ShellCommand>> = {
  "local robot say": local({
    summary: "Make a robot write in a channel",
    examples: ["local robot say '#ops' hello", "local robot say '#ops' 'line {n}' --times 20 --every 500ms"],
    args: SAY_ARGS,
    load: () => import("./say.ts"),
  }),
  "local robot react": local({
    summary: "Make a robot react to a message",
    examples: ["local robot react ana-7f3c like", "local robot react ana-7f3c love --user bo"],
    args: REACT_ARGS,
    load: () => import("./react.ts"),
  }),
  "local robot vote": local({
    summary: "Make a robot vote in a poll",
    examples: ["local robot vote ana-7f3c Soup", "local robot vote ana-7f3c 1 --user bo"],
    args: VOTE_ARGS,
    load: () => import("./vote.ts"),
  }),
  "local robot type": local({
    summary: "Make a robot type in a channel",
    examples: ["local robot type '#ops' --for 10s", "local robot type '#ops' --user bo"],
    args: TYPE_ARGS,
    load: () => import("./type.ts"),
  }),
  "local robot move": local({
    summary: "Make a robot share a moving location",
    examples: [
      "local robot move '#ops' --from 59.3251,18.0711 --to 59.3202,18.0709 --for 5m",
      "local robot move '#ops' --from 59.3251,18.0711 --to 59.3202,18.0709 --every 5s",
    ],
    args: MOVE_ARGS,
    load: () => import("./move.ts"),
  }),
  "local robot flood": local({
    summary: "Make a robot flood a channel with messages",
    examples: ["local robot flood '#ops' 10000 --rate 200", "local robot flood '#ops' 100 --user bo"],
    args: FLOOD_ARGS,
    load: () => import("./flood.ts"),
  }),
};
