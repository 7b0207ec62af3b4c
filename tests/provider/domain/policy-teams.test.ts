/** Teams: with multi-tenancy on, users see only the users and channels of their teams (specification/admin.md §11). */
import { describe, expect, test } from "vitest";
import type { Channel } from "../../../src/wire/entities/channel.ts";
import { inaccessible } from "../../../src/provider/domain/channels/view/sync.ts";
import { TestDomain, type As } from "./support.ts";

const SERVER = { server: true } as const;

/** Ann and Ben in team red, Cat in blue, Dot in both, Eve in none; multi-tenancy is on by default. */
function teams(on = true): TestDomain {
  const b = new TestDomain();
  const users = {
    ann: { id: "ann", teams: ["red"] },
    ben: { id: "ben", teams: ["red"] },
    cat: { id: "cat", teams: ["blue"] },
    dot: { id: "dot", teams: ["red", "blue"], teams_role: { blue: "moderator" } },
    eve: { id: "eve" },
  };
  b.call(SERVER, "upsertUsers", { body: { users } });
  b.call(SERVER, "updateApp", { body: { multi_tenant_enabled: on } });
  b.events = [];
  return b;
}

const path = (id: string, type = "livestream"): { type: string; id: string } => ({ type, id });
const createChannel = (b: TestDomain, as: As, id: string, data: object, type = "livestream"): unknown =>
  b.call(as, "queryChannel", { path: path(id, type), body: { data: { ...data } } });
const code = (
  b: TestDomain,
  as: As,
  name: "getChannel" | "queryChannels" | "queryChannel",
  input: object,
): number => b.refusalOf(as, name, input)[0];

describe("channels of teams", () => {
  test("a user with teams must name one of them for a new channel; a user without teams may name none", () => {
    const b = teams();
    const body = (data: object): { path: object; body: object } => ({ path: path("x"), body: { data } });
    expect(b.refusalOf("ann", "queryChannel", body({}) as never)).toEqual([4, "data.team"]);
    expect(b.refusalOf("ann", "queryChannel", body({ team: "blue" }) as never)).toEqual([17, undefined]);
    expect(b.refusalOf("eve", "queryChannel", body({ team: "red" }) as never)).toEqual([17, undefined]);
    createChannel(b, "ann", "x", { team: "red" });
    createChannel(b, "eve", "y", {});
    createChannel(b, { server: true, user: "ann" }, "z", { team: "blue" });
  });

  test("an open channel is open to its team only", () => {
    const b = teams();
    createChannel(b, "ann", "red", { team: "red" });
    expect((b.call("ben", "getChannel", { path: path("red") }).channel as Channel).team).toBe("red");
    b.call("dot", "getChannel", { path: path("red") });
    expect(code(b, "cat", "getChannel", { path: path("red") })).toBe(17);
    expect(code(b, "eve", "getChannel", { path: path("red") })).toBe(17);
    expect(inaccessible(b.db, "cat", ["livestream:red"])).toEqual(["livestream:red"]);
    expect(inaccessible(b.db, "ben", ["livestream:red"])).toEqual([]);
  });

  test("a user of another team can neither be added nor join", () => {
    const b = teams();
    createChannel(b, "ann", "red", { team: "red", members: ["ann"] }, "messaging");
    const add = (who: string): [number, string | undefined] =>
      b.refusalOf("ann", "updateChannel", { path: path("red", "messaging"), body: { add_members: [who] } });
    expect(add("cat")).toEqual([17, undefined]);
    expect(add("eve")).toEqual([17, undefined]);
    b.call("ann", "updateChannel", { path: path("red", "messaging"), body: { add_members: ["ben", "dot"] } });
  });

  test("a channel cannot be moved to a team of others, except by a server", () => {
    const b = teams();
    createChannel(b, "ann", "red", { team: "red" }, "messaging");
    expect(
      b.refusalOf("ann", "updateChannelPartial", {
        path: path("red", "messaging"),
        body: { set: { team: "blue" } },
      }),
    ).toEqual([17, undefined]);
    b.call({ server: true }, "updateChannelPartial", {
      path: path("red", "messaging"),
      body: { set: { team: "blue" } },
    });
  });

  test("lists contain channels of the user's teams, and filtering by another team is code 70", () => {
    const b = teams();
    createChannel(b, "ann", "red", { team: "red" });
    createChannel(b, "cat", "blue", { team: "blue" });
    createChannel(b, "eve", "none", {});
    const ids = (who: string, filter: object = {}): string[] =>
      (
        b.call(who, "queryChannels", { body: { filter_conditions: { ...filter } } }).channels as {
          channel: Channel;
        }[]
      )
        .map(({ channel }) => channel.id)
        .toSorted();
    expect([ids("ann"), ids("cat"), ids("dot"), ids("eve")]).toEqual([
      ["red"],
      ["blue"],
      ["blue", "red"],
      ["none"],
    ]);
    expect(ids("dot", { team: "blue" })).toEqual(["blue"]);
    expect(ids("dot", { team: { $in: ["red", "blue"] } })).toEqual(["blue", "red"]);
    for (const filter of [
      { team: "blue" },
      { team: { $in: ["red", "blue"] } },
      { $or: [{ team: "red" }, { team: "blue" }] },
    ])
      expect(code(b, "ann", "queryChannels", { body: { filter_conditions: filter } })).toBe(70);
  });
});

describe("roles in teams", () => {
  test("the role in a channel's team counts in that team only", () => {
    const b = teams();
    createChannel(b, { server: true, user: "ann" }, "red", { team: "red", members: ["dot"] }, "messaging");
    createChannel(b, { server: true, user: "cat" }, "blue", { team: "blue", members: ["dot"] }, "messaging");
    const capabilitiesOf = (id: string): string[] =>
      (b.call("dot", "getChannel", { path: path(id, "messaging") }).channel as Channel).own_capabilities!;
    expect(capabilitiesOf("blue")).toContain("delete-any-message");
    expect(capabilitiesOf("red")).not.toContain("delete-any-message");
  });

  test("global roles act in every team", () => {
    const b = teams();
    createChannel(b, { server: true, user: "ann" }, "red", { team: "red" }, "messaging");
    b.user("gus", {}, "global_moderator");
    b.user("mod", {}, "moderator");
    b.user("ada", {}, "global_admin");
    const capabilitiesOf = (who: string): string[] =>
      (b.call(who, "getChannel", { path: path("red", "messaging") }).channel as Channel).own_capabilities!;
    expect(capabilitiesOf("gus")).toContain("delete-any-message");
    expect(capabilitiesOf("gus")).not.toContain("delete-channel");
    expect(capabilitiesOf("ada")).toContain("delete-channel");
    expect(code(b, "mod", "getChannel", { path: path("red", "messaging") })).toBe(17);
    expect(
      (b.call("gus", "queryChannels", { body: { filter_conditions: { team: "red" } } }).channels as unknown[])
        .length,
    ).toBe(1);
  });

  test("a permission for any team can be granted to a role", () => {
    const b = teams();
    createChannel(b, { server: true, user: "ann" }, "red", { team: "red" });
    b.call(SERVER, "updateChannelType", {
      path: { name: "livestream" },
      body: { grants: { user: ["read-channel-any-team"] } },
    });
    expect(
      (b.call("cat", "getChannel", { path: path("red") }).channel as Channel).own_capabilities,
    ).not.toContain("send-message");
  });
});

test("without multi-tenancy team is an ordinary field", () => {
  const b = teams(false);
  createChannel(b, "ann", "x", {});
  createChannel(b, "ann", "red", { team: "red" });
  expect(
    (b.call("cat", "queryChannels", { body: { filter_conditions: { team: "red" } } }).channels as unknown[])
      .length,
  ).toBe(1);
});
