/** Each field of a sign-in says what is wrong with it, and a refusal says which field that was and what to do. */
import { expect, test } from "vitest";
import { refusedSignIn, signInFault } from "../../src/model/sign-in-fields.ts";
import { signToken, type TokenClaims } from "../../src/wire/token.ts";

const TOKEN = signToken({ user_id: "ana" }, "s");
const fields = { kind: "token", key: "k3y", token: TOKEN } as const;

test.each([
  ["name", { name: "local" }, /embedded/],
  ["name", { name: "my work" }, /yours to choose/],
  ["url", { url: "chat.example" }, /where the app's region answers/],
  ["url", { url: "https://me:pw@chat.example" }, /user or a password/],
  ["key", { key: TOKEN }, /That is a token: the key/],
  ["key", { key: "two words" }, /one word/],
  ["token", { token: "k3y" }, /That is the key/],
  ["token", { token: "abc" }, /not a token/],
  ["token", { token: signToken({ server: true }, "s") }, /of the app itself/],
  ["token", { token: signToken({ exp: 1 }, "s") }, /names nobody/],
  ["secret", { kind: "secret", secret: TOKEN }, /That is a token, not the app's secret/],
  ["secret", { kind: "secret", secret: "k3y" }, /That is the key/],
  ["user", { user: "bo" }, /for ana, not for bo/],
] as const)("%s %j is refused with its own sentence", (field, changed, fault) => {
  expect(signInFault(field, { ...fields, ...changed })).toMatch(fault);
});

test("right and empty fields are not refused", () => {
  const right = { ...fields, name: "work", url: "https://chat.example", user: "ana", secret: "" };
  for (const field of Object.keys(right))
    expect([field, signInFault(field, right)]).toEqual([field, undefined]);
});

const NOON = Date.UTC(2026, 2, 4, 12);
const facts = (claims: TokenClaims, off = 0) => ({
  host: "chat.example",
  token: signToken({ user_id: "ana", ...claims }, "s"),
  kind: "token" as const,
  providerNow: NOON,
  now: NOON + off,
});
const HOUR = 3600;

test.each([
  [2, facts({}), /not known at chat\.example.+another region/],
  [5, facts({}), /for ana/],
  [40, facts({ exp: NOON / 1000 - HOUR }), /ended on 4 Mar 2026 11:00: ask for another\.$/],
  [40, facts({ exp: NOON / 1000 + HOUR }), /revoked/],
  [41, facts({ nbf: NOON / 1000 + HOUR }), /valid on 4 Mar 2026 13:00\.$/],
  [
    42,
    facts({ iat: NOON / 1000 + HOUR }, 3_600_000),
    /whoever made it.+60 min ahead of the provider's: set it/,
  ],
  [40, facts({ exp: NOON / 1000 - 1 }, -600_000), /10 min behind the provider's/],
  [43, facts({}), /^The token was made with the secret of another app/],
  [43, { ...facts({}), token: undefined, kind: "secret" }, /^The secret is of another app/],
  [43, { ...facts({}), token: `${TOKEN.slice(0, TOKEN.lastIndexOf("."))}.devtoken` }, /development token/],
] as const)("a refusal with code %i says what to do (%#)", (code, about, words) => {
  expect(refusedSignIn({ code }, about)).toMatch(words);
});

test("an address without a provider is named, and any other refusal keeps the provider's own words", () => {
  for (const code of [undefined, 16])
    expect(refusedSignIn({ status: 404, code }, facts({}))).toMatch(
      /^No chat provider answers at chat\.example.+ without a path/,
    );
  for (const code of [9, 16, 17, 99]) expect(refusedSignIn({ code }, facts({}))).toBeUndefined();
});
