/** Contract rows of channels, collected from the files by topic, and checks that every route of one channel shares. */
import type { Case } from "./case.ts";
import { channelChangeCases } from "./cases-channel-change.ts";
import { channelListCases } from "./cases-channel-list.ts";
import { channelOpenCases } from "./cases-channel-open.ts";
import { channelReadingCases } from "./cases-channel-reading.ts";
import { memberCases } from "./cases-members.ts";
import type { Room } from "./world.ts";

const U = "POST /channels/{type}/{id}";
const none = (): Record<string, string> => ({ id: "none" });
const colon = (): Record<string, string> => ({ type: "mess:aging" });

/** Routes of one channel, each tested with an unknown channel, with a non-member and with a colon in the channel type. */
const GUARDED: [route: string, ask?: (r: Room) => { body?: unknown; query?: Record<string, unknown> }][] = [
  ["GET /channels/{type}/{id}"],
  [U, () => ({ body: { data: { name: "x" } } })],
  ["PATCH /channels/{type}/{id}", () => ({ body: { set: { name: "x" } } })],
  ["DELETE /channels/{type}/{id}"],
  ["POST /channels/{type}/{id}/truncate", () => ({ body: {} })],
  ["POST /channels/{type}/{id}/hide", () => ({ body: {} })],
  ["POST /channels/{type}/{id}/show", () => ({ body: {} })],
  ["POST /channels/{type}/{id}/read", () => ({ body: {} })],
  ["POST /channels/{type}/{id}/unread", (r) => ({ body: { message_id: r.message } })],
  ["POST /channels/{type}/{id}/event", () => ({ body: { event: { type: "typing.start" } } })],
  ["POST /channels/{type}/{id}/message", () => ({ body: { message: { text: "x" } } })],
  ["GET /channels/{type}/{id}/messages", (r) => ({ query: { ids: r.message } })],
  ["GET /channels/{type}/{id}/pinned_messages"],
];

const guards: Case[] = GUARDED.flatMap(([route, ask]) => {
  const row = { route, ...(ask ? { ask } : {}) };
  return [
    { ...row, name: "an unknown channel", as: "ada", path: none, code: 16 },
    { ...row, name: "refuses a user who is not a member", as: "dan", code: 17 },
    {
      ...row,
      name: "refuses a type with a colon",
      as: "ada",
      path: colon,
      code: 4,
      field: "type",
      messagePart: "Invalid channel type mess:aging, it may not contain a colon",
    },
  ] as Case[];
});

export const channelCases: Case[] = [
  ...guards,
  ...channelListCases,
  ...channelOpenCases,
  ...channelChangeCases,
  ...channelReadingCases,
  ...memberCases,
];
