/** Tokens of the user who is set: one flight for all who wait, and none that outlives its user (specification/auth.md §8). */
import { expect, test } from "vitest";
import { createTokens } from "../../../src/core/http/token.ts";
import { signToken } from "../../../src/wire/token.ts";
import { fixedRandom, VirtualClock } from "../../support/virtual-clock.ts";

const tokenOf = (user: string, n: number): string => signToken({ user_id: user, iat: n }, "s".repeat(32));
const tokens = () => {
  const clock = new VirtualClock();
  return createTokens({ clock, random: fixedRandom(), now: () => clock.now() });
};

test("concurrent requests for a newer token share one renewal", async () => {
  const store = tokens();
  let issued = 0;
  store.set("ada", () => tokenOf("ada", ++issued));
  const { token } = await store.credential();
  expect(await Promise.all([store.refresh(token), store.refresh(token)])).toEqual([
    tokenOf("ada", 2),
    tokenOf("ada", 2),
  ]);
  expect(issued).toBe(2);
});

test("a user who signs in during another's renewal gets an own token, and the other gets none", async () => {
  const store = tokens();
  const gate = Promise.withResolvers<string>();
  store.set("ada", () => gate.promise);
  const renewalForAda = store.refresh(tokenOf("ada", 1)).catch((error: Error) => error.name);
  let issued = 0;
  store.set("bob", () => tokenOf("bob", ++issued));
  const { token } = await store.credential();
  expect(await store.refresh(token)).toBe(tokenOf("bob", 2));
  gate.resolve(tokenOf("ada", 2));
  expect(await renewalForAda).toBe("SignInNeeded");
  expect(store.current).toBe(tokenOf("bob", 2));
});
