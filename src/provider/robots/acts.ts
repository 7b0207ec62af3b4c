/** Carries out a robot's orders: sends, reacts, votes, types or moves as any user of the workspace. */
import type { Message } from "../../wire/entities/message.ts";
import type { PathOf } from "../../wire/endpoints/index.ts";
import { splitCid } from "../../wire/ids.ts";
import { ApiProblem } from "../base/handler.ts";
import { invalidField } from "../base/problems.ts";
import type { RobotHost } from "./host.ts";
import type { Position } from "../../model/locations.ts";

type Order = Record<string, unknown>;

/** How often `typing.start` is repeated, milliseconds; clients drop it after 7000. */
const TYPING_REPEAT_MS = 2000;
const DEVICE = "robot";

const textOf = (order: Order, key: string): string => {
  const value = order[key];
  if (typeof value !== "string" || value.trim() === "") throw invalidField(key, "must be a text");
  return value;
};
const numberIn = (order: Order, key: string, low: number, high: number, absent?: number): number => {
  const value = order[key] ?? absent;
  if (typeof value !== "number" || !(value >= low && value <= high))
    throw invalidField(
      key,
      `must be from ${low} to ${high}`,
      `${key} must be a number from ${low} to ${high}`,
    );
  return value;
};
const channelOf = (order: Order): PathOf<"sendMessage"> => {
  const channel = splitCid(textOf(order, "cid"));
  if (!channel) throw invalidField("cid", "must be type:id");
  return channel;
};

/** Answers `POST /_local/robot`: `{do: say|react|vote|type|move, user_id, …}`. Acts that take time continue after the answer. */
export function robotAct(host: RobotHost, order: Order): object {
  const userId = textOf(order, "user_id");
  ensureUser(host, userId);
  switch (order.do) {
    case "say":
      return say(host, userId, order);
    case "react": {
      const id = textOf(order, "message_id");
      const reaction = { type: textOf(order, "type"), user_id: userId };
      const { message } = host.perform("sendReaction", { path: { id }, body: { reaction } });
      return { message_id: message.id };
    }
    case "vote":
      return vote(host, userId, order);
    case "type":
      return type(host, userId, order);
    case "move":
      return move(host, userId, order);
    default:
      throw invalidField("do", "must be say, react, vote, type or move");
  }
}

function ensureUser(host: RobotHost, id: string): void {
  const { users } = host.perform("queryUsers", { query: { filter_conditions: { id }, limit: 1 } });
  if (users.length === 0) host.perform("upsertUsers", { body: { users: { [id]: { id, name: id } } } });
}

function ensureMember(host: RobotHost, channel: PathOf<"sendMessage">, userId: string): void {
  const { members } = host.perform("queryMembers", {
    query: { ...channel, filter_conditions: { id: userId }, limit: 1 },
  });
  if (members.length === 0)
    host.perform("updateChannel", { path: channel, body: { add_members: [userId], user_id: userId } });
}

function say(host: RobotHost, userId: string, order: Order): object {
  const channel = channelOf(order);
  const messageText = textOf(order, "text");
  const times = numberIn(order, "times", 1, 10_000, 1);
  const every = numberIn(order, "every_ms", 0, 3_600_000, 1000);
  const parent = order.parent_id === undefined ? {} : { parent_id: textOf(order, "parent_id") };
  ensureMember(host, channel, userId);
  const send = (n: number): string =>
    host.perform("sendMessage", {
      path: channel,
      body: {
        message: {
          text: times === 1 ? messageText : messageText.replaceAll("{n}", String(n)),
          user_id: userId,
          ...parent,
        },
      },
    }).message.id;
  const first = send(1);
  const next = (n: number): void => {
    if (n > times) return;
    host.after(every, () => {
      send(n);
      next(n + 1);
    });
  };
  next(2);
  return { message_id: first };
}

/** Throws `not found` for an unknown message; the id of a poll is not one of a message, which can be one of many. */
function messageWithPoll(host: RobotHost, id: string): Message {
  try {
    return host.perform("getMessage", { path: { id } }).message;
  } catch (error) {
    if (!isPoll(host, id)) throw error;
    throw invalidField("message_id", "is a poll", `${id} is a poll: name the message that contains it`);
  }
}

function isPoll(host: RobotHost, id: string): boolean {
  try {
    return host.perform("getPoll", { path: { poll_id: id } }).poll.id === id;
  } catch {
    return false;
  }
}

function vote(host: RobotHost, userId: string, order: Order): object {
  const id = textOf(order, "message_id");
  const choice = textOf(order, "option");
  const { poll } = messageWithPoll(host, id);
  if (!poll) throw invalidField("message_id", "holds no poll", `message ${id} holds no poll`);
  const { options } = poll;
  const option =
    options.find(
      (candidate) => candidate.id === choice || candidate.text.toLowerCase() === choice.toLowerCase(),
    ) ?? options[Number(choice) - 1];
  if (!option) throw invalidField("option", "is not in the poll", `the poll has no option ${choice}`);
  const { vote: storedVote } = host.perform("castPollVote", {
    path: { message_id: id, poll_id: poll.id },
    body: { vote: { option_id: option.id }, user_id: userId },
  });
  return { vote_id: storedVote.id, option: option.text };
}

function type(host: RobotHost, userId: string, order: Order): object {
  const channel = channelOf(order);
  const duration = numberIn(order, "for_ms", 100, 600_000, 5000);
  ensureMember(host, channel, userId);
  const sendEvent = (event: string): void =>
    void host.perform("sendEvent", { path: channel, body: { event: { type: event, user_id: userId } } });
  const end = host.now() + duration * 1000;
  const step = (): void => {
    const remainingMs = (end - host.now()) / 1000;
    if (remainingMs <= 0) return sendEvent("typing.stop");
    sendEvent("typing.start");
    host.after(Math.min(remainingMs, TYPING_REPEAT_MS), step);
  };
  step();
  return { for_ms: duration };
}

/** The position a part (0 to 1) of the way along a straight line. */
export function positionBetween(from: Position, to: Position, part: number): Position {
  const between = (a: number, b: number): number => Number((a + (b - a) * part).toFixed(6));
  return {
    latitude: between(from.latitude, to.latitude),
    longitude: between(from.longitude, to.longitude),
  };
}

/** Shares a live location and moves it in a straight line from one position to another during `for_ms`. */
function move(host: RobotHost, userId: string, order: Order): object {
  const channel = channelOf(order);
  const positionAt = (end: "from" | "to"): Position => ({
    latitude: numberIn(order, `${end}_latitude`, -90, 90),
    longitude: numberIn(order, `${end}_longitude`, -180, 180),
  });
  const [from, to] = [positionAt("from"), positionAt("to")];
  const duration = numberIn(order, "for_ms", 60_000, 86_400_000, 600_000);
  const every = numberIn(order, "every_ms", 100, 600_000, 3000);
  ensureMember(host, channel, userId);
  const startedAt = host.now();
  const endAt = new Date(startedAt / 1000 + duration).toISOString();
  const { message } = host.perform("sendMessage", {
    path: channel,
    body: {
      message: {
        text: typeof order.text === "string" ? order.text : "",
        user_id: userId,
        shared_location: { ...from, created_by_device_id: DEVICE, end_at: endAt },
      },
    },
  });
  const step = (): void => {
    const part = (host.now() - startedAt) / 1000 / duration;
    if (part >= 1) return;
    try {
      host.perform("updateLiveLocation", {
        query: { user_id: userId },
        body: { message_id: message.id, ...positionBetween(from, to, part) },
      });
    } catch (error) {
      // The sharing was stopped or the message deleted: there is nothing left to move.
      if (error instanceof ApiProblem) return;
      throw error;
    }
    host.after(every, step);
  };
  host.after(every, step);
  return { message_id: message.id, end_at: endAt };
}
