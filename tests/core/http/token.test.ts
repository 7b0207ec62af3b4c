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

test("all who wait for a newer token get the one that was asked for once", async () => {
  const held = tokens();
  let asked = 0;
  held.set("ada", () => tokenOf("ada", ++asked));
  const { token } = await held.credential();
  expect(await Promise.all([held.refresh(token), held.refresh(token)])).toEqual([
    tokenOf("ada", 2),
    tokenOf("ada", 2),
  ]);
  expect(asked).toBe(2);
});

test("who signs in while another's token is renewed gets a token of their own, and the other none", async () => {
  const held = tokens();
  const gate = Promise.withResolvers<string>();
  held.set("ada", () => gate.promise);
  const former = held.refresh(tokenOf("ada", 1)).catch((error: Error) => error.name);
  let asked = 0;
  held.set("bob", () => tokenOf("bob", ++asked));
  const { token } = await held.credential();
  expect(await held.refresh(token)).toBe(tokenOf("bob", 2));
  gate.resolve(tokenOf("ada", 2));
  expect(await former).toBe("SignInNeeded");
  expect(held.current).toBe(tokenOf("bob", 2));
});
