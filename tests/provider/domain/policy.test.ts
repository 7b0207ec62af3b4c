/** Permissions of each role in each channel type. */
import { describe, expect, test } from "vitest";
import type { Channel } from "../../../src/wire/entities/channel.ts";
import type { RouteCall } from "../../../src/provider/base/handler.ts";
import { isBanned, requireUpload, userPermissions } from "../../../src/provider/domain/access/view/policy.ts";
import { typesWithPermission } from "../../../src/provider/domain/access/view/readable.ts";
import { channelRow } from "../../../src/provider/domain/channels/storage/rows.ts";
import { inaccessible } from "../../../src/provider/domain/channels/view/sync.ts";
import { TestDomain, room } from "./support.ts";

const TYPES = ["messaging", "team", "livestream", "gaming", "commerce"] as const;

/** One channel of each type made by a server for `root`, with `mem` as member and `mod` as channel moderator. */
function everyType(): TestDomain {
  const b = new TestDomain();
  for (const id of ["root", "mem", "mod", "user"]) b.user(id);
  b.user("boss", {}, "moderator");
  b.user("chief", {}, "admin");
  b.user("odd", {}, "stranger");
  for (const type of TYPES) {
    b.call({ server: true }, "queryChannel", {
      path: { type, id: "x" },
      body: {
        data: {
          created_by_id: "root",
          members: ["mem", { user_id: "mod", channel_role: "channel_moderator" }],
        },
      },
    });
  }
  return b;
}

const COMPARED = [
  "send-message",
  "pin-message",
  "delete-any-message",
  "update-channel",
  "update-channel-members",
  "delete-channel",
  "upload-file",
];

describe("capabilities", () => {
  const b = everyType();
  const capabilitiesOf = (as: string, type: string): string[] | number => {
    try {
      const { own_capabilities: all } = b.call(as, "getChannel", { path: { type, id: "x" } })
        .channel as Channel;
      return COMPARED.filter((name) => all!.includes(name));
    } catch (error) {
      return (error as { code: number }).code;
    }
  };
  const memberCapabilities = ["send-message", "pin-message", "upload-file"];
  test.each<[string, string, string[] | number]>([
    ["user", "messaging", 17],
    ["user", "team", 17],
    ["user", "gaming", 17],
    ["user", "commerce", 17],
    ["user", "livestream", ["send-message", "upload-file"]],
    ["odd", "messaging", 17],
    ["odd", "livestream", 17],
    ["mem", "messaging", memberCapabilities],
    ["mem", "team", memberCapabilities],
    ["mem", "gaming", ["send-message"]],
    ["mem", "commerce", ["send-message", "upload-file"]],
    [
      "mod",
      "messaging",
      [
        "send-message",
        "pin-message",
        "delete-any-message",
        "update-channel",
        "update-channel-members",
        "upload-file",
      ],
    ],
    ["mod", "gaming", ["send-message", "pin-message", "delete-any-message"]],
    [
      "root",
      "messaging",
      [
        "send-message",
        "pin-message",
        "update-channel",
        "update-channel-members",
        "delete-channel",
        "upload-file",
      ],
    ],
    [
      "boss",
      "messaging",
      [
        "send-message",
        "pin-message",
        "delete-any-message",
        "update-channel",
        "update-channel-members",
        "upload-file",
      ],
    ],
    ["chief", "team", COMPARED],
    ["chief", "gaming", COMPARED.filter((name) => name !== "upload-file")],
  ])("%s in %s has exactly its capabilities", (as, type, expected) =>
    expect(capabilitiesOf(as, type)).toEqual(expected),
  );

  test("slow mode, freezing and bans change the capabilities", () => {
    const own = room();
    const path = { type: "messaging", id: "room" };
    const caps = (): string[] =>
      (own.call("bob", "getChannel", { path }).channel as Channel).own_capabilities!;
    own.call({ server: true, user: "ada" }, "updateChannelPartial", { path, body: { set: { cooldown: 5 } } });
    expect(caps()).toContain("slow-mode");
    own.call({ server: true, user: "ada" }, "updateChannelPartial", {
      path,
      body: { set: { frozen: true } },
    });
    expect(caps()).not.toContain("send-message");
    expect(caps()).not.toContain("send-reaction");
    expect(caps()).toContain("read-events");
  });
});

test("a ban applies until its end and not at it, for members and non-members", () => {
  const b = room();
  for (const target_user_id of ["bob", "dan"])
    b.call({ server: true }, "ban", {
      body: { target_user_id, banned_by_id: "ada", timeout: 5, channel_cid: "messaging:room" },
    });
  for (const id of ["bob", "dan"]) {
    const permissions = userPermissions(b.db, id, channelRow(b.db, "messaging:room"));
    const end = (permissions.nonMemberBan?.expires ?? permissions.member?.ban_expires)!;
    expect([id, isBanned(permissions, end - 1), isBanned(permissions, end)]).toEqual([id, true, false]);
  }
});

test("typesWithPermission lists the channel types that a role may read without being a member", () => {
  const { db } = new TestDomain();
  expect(typesWithPermission(db, "user")).toEqual(["livestream"]);
  expect(typesWithPermission(db, "anonymous")).toEqual(["livestream"]);
  expect(typesWithPermission(db, "admin")).toEqual([...TYPES]);
  expect(typesWithPermission(db, "nobody")).toEqual([]);
});

test("an upload needs the channel, the permission and the feature; inaccessible lists unreadable channels", () => {
  const b = everyType();
  const as = (userId: string): RouteCall =>
    ({
      caller: { kind: "user", userId, role: "user" },
      db: b.db,
      emit: b.emit,
      now: () => b.tick(),
    }) as unknown as RouteCall;
  const code = (userId: string, cid: string): number => {
    try {
      requireUpload(as(userId), cid);
      return 0;
    } catch (error) {
      return (error as { code: number }).code;
    }
  };
  expect([
    code("mem", "team:x"),
    code("user", "team:x"),
    code("mem", "team:void"),
    code("mem", "gaming:x"),
  ]).toEqual([0, 17, 16, 19]);
  expect(inaccessible(b.db, "user", ["team:x", "livestream:x", "team:void"])).toEqual([
    "team:x",
    "team:void",
  ]);
});
