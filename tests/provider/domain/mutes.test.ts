/** Mutes of users: whom they reach, how long they last, and who is told (specification/moderation.md §3). */
import { expect, test } from "vitest";
import { room, type TestDomain } from "./support.ts";

const SERVER = { server: true } as const;

/** Whose mutes changed, with the people who are muted now. */
const told = (b: TestDomain): [to: string | undefined, muted: string[]][] =>
  b.events
    .filter(({ event }) => event.type === "notification.mutes_updated")
    .map(({ user, event }) => {
      const { mutes } = event.me as { mutes: { target: { id: string } }[] };
      return [user, mutes.map(({ target }) => target.id).toSorted()];
    });

test("a mute of one minute lasts exactly a minute", () => {
  const b = room();
  const { mute } = b.call("ada", "muteUser", { body: { target_id: "bob", timeout: 1 } }) as {
    mute: { created_at: string; expires: string };
  };
  const micros = (time: string): string => time.slice(17, -1);
  expect(micros(mute.expires)).toBe(micros(mute.created_at));
  expect(Date.parse(mute.expires) - Date.parse(mute.created_at)).toBe(60_000);
});

test("unmuting several people tells servers of those alone who were muted", () => {
  const b = room();
  b.call("ada", "muteUser", { body: { target_id: "bob" } });
  b.events = [];
  b.call("ada", "unmuteUser", { body: { target_ids: ["bob", "cyd"] } });
  const told = b.events.filter(({ to }) => to === "S").map(({ event }) => event);
  expect(told).toMatchObject([{ type: "user.unmuted", user: { id: "ada" }, target_user: { id: "bob" } }]);
});

test("of several people those who do not exist any more are named, and only the others are muted", () => {
  const b = room();
  b.call(SERVER, "deleteUser", { path: { id: "cyd" } });
  b.events = [];
  const reply = b.call("ada", "muteUser", { body: { target_ids: ["bob", "cyd", "nobody"] } });
  expect(reply).toMatchObject({ non_existing_users: ["cyd", "nobody"] });
  expect(told(b)).toEqual([["ada", ["bob"]]]);
  const server = b.events.filter(({ to }) => to === "S").map(({ event }) => event.target_user);
  expect(server).toMatchObject([{ id: "bob" }]);
  b.events = [];
  expect(b.call("ada", "muteUser", { body: { target_id: "cyd" } })).toMatchObject({
    non_existing_users: ["cyd"],
  });
  expect(b.events).toEqual([]);
});
