/** Who sees a message, and an answer to several (R-SEND-16). */
import { expect, test } from "vitest";
import { audienceOfMessage, commonAudience, EVERYBODY, writtenAudience } from "../../src/model/audience.ts";

const by = (id: string, restricted_visibility?: string[]) => ({
  user: { id },
  ...(restricted_visibility && { restricted_visibility }),
});

test("R-SEND-16: a message for some is seen by them and its author, any other by everybody", () => {
  expect(audienceOfMessage(by("ana", ["bo"]))).toEqual(["bo", "ana"]);
  expect(audienceOfMessage(by("ana", ["ana", "bo"]))).toEqual(["bo", "ana"]);
  expect(audienceOfMessage(by("ana", []))).toEqual(EVERYBODY);
  expect(audienceOfMessage(by("ana"))).toEqual(EVERYBODY);
});

test("R-SEND-16: an answer to messages for some is for those who see each of them, and never for everybody", () => {
  const all: string[] = [];
  expect(commonAudience([], "me")).toEqual([]);
  expect(commonAudience([all, all], "me")).toEqual([]);
  expect(commonAudience([all, ["bo", "me"]], "me")).toEqual(["bo", "me"]);
  expect(
    commonAudience(
      [
        ["ana", "bo", "me"],
        ["bo", "cy", "me"],
      ],
      "me",
    ),
  ).toEqual(["bo", "me"]);
  expect(commonAudience([["ana"], ["bo"]], "me")).toEqual(["me"]);
  // A moderator answers what only others were meant to see.
  expect(commonAudience([["ana", "bo"]], "me")).toEqual(["ana", "bo", "me"]);
});

test("R-SEND-16: those who were chosen go before those who see what is answered, and what is not known is not everybody", () => {
  const known = (id: string) => ({ open: [], some: ["bo", "me"] })[id];
  const of = (onlyFor: string[] | undefined, ...answers: string[]) =>
    writtenAudience({ onlyFor, answers }, "me", known);
  expect(of(undefined)).toEqual([]);
  expect(of(undefined, "open")).toEqual([]);
  expect(of(undefined, "open", "some")).toEqual(["bo", "me"]);
  expect(of(undefined, "some", "lost")).toBeUndefined();
  expect(of(["cy"], "some", "lost")).toEqual(["cy", "me"]);
  expect(of(["me"])).toEqual(["me"]);
  expect(of([], "some")).toEqual([]);
});
