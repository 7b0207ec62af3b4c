/** The poll form of the composer, rule by rule, and what creating one sends (specification/polls.md §6). */
import { describe, expect, test } from "vitest";
import { PollComposer } from "../../../src/core/composer/poll.ts";
import {
  canCreatePoll,
  emptyPollForm,
  firstPollError,
  nextPollForm,
  pollPayload,
  type PollForm,
  type PollInput,
} from "../../../src/model/poll-form.ts";
import { ApiError } from "../../../src/model/errors.ts";
import { fixedRandom } from "../../support/virtual-clock.ts";

let ids = 0;
const fresh = (): PollForm => emptyPollForm({ poll: "p", option: "o0", user: "ada" });
const after = (form: PollForm, ...inputs: PollInput[]): PollForm => inputs.reduce(nextPollForm, form);
const write = (form: PollForm, at: number, text: string): PollForm =>
  nextPollForm(form, { type: "option", id: form.options[at]!.id, text, blankId: `b${++ids}` });
/** A form with these option texts, filled in from top to bottom; a blank text is cleared afterwards. */
function withOptions(...texts: string[]): PollForm {
  let form = fresh();
  for (const [at, text] of texts.entries())
    if (at < form.options.length) form = write(form, at, text === "" && at < texts.length - 1 ? "?" : text);
  for (const [at, text] of texts.entries())
    if (text === "" && at < texts.length - 1) form = write(form, at, "");
  return form;
}
const texts = (form: PollForm): string[] => form.options.map(({ text }) => text);
const faults = (form: PollForm): (string | undefined)[] =>
  form.options.map(({ id }) => form.errors.options[id]);
const max = (value: string): PollInput => ({ type: "maxVotes", value });
const unique = (on: boolean): PollInput => ({ type: "uniqueVote", on });

describe("the table of examples", () => {
  test.each([
    ["R-POLL-4: empty is valid", "", undefined],
    ["R-POLL-5: anything but digits", "abc", "Only numbers are allowed"],
    ["R-POLL-5: a sign", "-3", "Only numbers are allowed"],
    ["R-POLL-5: a space", "3 ", "Only numbers are allowed"],
    ["R-POLL-6: below", "1", "Type a number from 2 to 10"],
    ["R-POLL-6: above", "11", "Type a number from 2 to 10"],
    ["R-POLL-6: zero", "0", "Type a number from 2 to 10"],
    ["R-POLL-6: a leading zero", "05", "Type a number from 2 to 10"],
    ["R-POLL-6: the ends are in", "2", undefined],
    ["R-POLL-6: the ends are in, ten", "10", undefined],
  ])("%s", (_rule, value, text) => {
    expect(after(fresh(), max(value)).errors.max_votes_allowed).toBe(text);
  });
  test("an option moves one place, the ends and the blank one hold, and it is judged where it stands then", () => {
    const move = (form: PollForm, at: number, by: 1 | -1): PollForm =>
      nextPollForm(form, { type: "moveOption", id: form.options[at]!.id, by, blankId: "b" });
    const form = withOptions("tea", "milk", "Tea");
    expect(texts(form)).toEqual(["tea", "milk", "Tea", ""]);
    expect(faults(form)).toEqual([undefined, undefined, "Option already exists", undefined]);
    const moved = move(form, 2, -1);
    expect(texts(moved)).toEqual(["tea", "Tea", "milk", ""]);
    expect(faults(moved)).toEqual([undefined, "Option already exists", undefined, undefined]);
    expect(move(form, 0, -1)).toBe(form);
    expect(move(form, 2, 1)).toBe(form);
    expect(move(form, 3, -1)).toBe(form);
  });
  test("R-POLL-9: max 5, then unique on → empty and no error", () => {
    const form = after(fresh(), max("5"), unique(true));
    expect(form).toMatchObject({ max_votes_allowed: "", enforce_unique_vote: true });
    expect(form.errors).toEqual({ options: {} });
    expect(after(fresh(), max("abc"), unique(true)).errors).toEqual({ options: {} });
  });
  test("R-POLL-7: unique on, max set to 5", () => {
    expect(after(fresh(), unique(true), max("5")).errors.max_votes_allowed).toBe(
      "Enforce unique vote is enabled",
    );
  });
  test("R-POLL-9: turning unique off changes nothing else", () => {
    const form = after(fresh(), unique(true), max("5"));
    expect(after(form, unique(false))).toEqual({ ...form, enforce_unique_vote: false });
  });
  test("R-POLL-8: digits, then range, then unique vote; only the first hit is kept", () => {
    const on = after(fresh(), unique(true));
    expect(after(on, max("abc")).errors.max_votes_allowed).toBe("Only numbers are allowed");
    expect(after(on, max("11")).errors.max_votes_allowed).toBe("Type a number from 2 to 10");
  });
  test("R-POLL-2: Tea, blank, Milk → the second is empty; the last may be blank", () => {
    const form = withOptions("Tea", "", "Milk");
    expect(texts(form)).toEqual(["Tea", "", "Milk", ""]);
    expect(faults(form)).toEqual([undefined, "Option is empty", undefined, undefined]);
    expect(faults(withOptions("Tea", ""))).toEqual([undefined, undefined]);
  });
  test("R-POLL-3: Tea, 'tea ', blank → the second exists already", () => {
    const form = withOptions("Tea", "tea ", "");
    expect(texts(form)).toEqual(["Tea", "tea ", ""]);
    expect(faults(form)).toEqual([undefined, "Option already exists", undefined]);
    // The error is on the later of two equal options, in whatever order they were written; blanks are never duplicates.
    expect(faults(write(withOptions("Coffee", "Tea"), 0, "TEA"))).toEqual([
      undefined,
      "Option already exists",
      undefined,
    ]);
    expect(faults(withOptions("Tea", "", "Milk", ""))[3]).toBeUndefined();
  });
  test("R-POLL-13: name blank, options Tea → cannot be created", () => {
    expect(canCreatePoll(withOptions("Tea"))).toBe(false);
    expect(canCreatePoll(after(withOptions("Tea"), { type: "name", value: " Drink? " }))).toBe(true);
  });
});

describe("fields and options", () => {
  test("R-POLL-1: the name blank after trim", () => {
    expect(after(fresh(), { type: "name", value: " \t" }).errors.name).toBe("Question is required");
    expect(
      after(fresh(), { type: "name", value: "" }, { type: "name", value: "x" }).errors.name,
    ).toBeUndefined();
  });
  test("R-POLL-10: writing the last blank option appends a new blank one with a new id", () => {
    const form = write(fresh(), 0, "Tea");
    expect(texts(form)).toEqual(["Tea", ""]);
    expect(form.options[1]!.id).not.toBe(form.options[0]!.id);
    // With a blank one in the middle none is appended.
    expect(texts(write(withOptions("Tea", "", "Milk"), 3, "Oat"))).toEqual(["Tea", "", "Milk", "Oat"]);
  });
  test("R-POLL-11: never more than 100, the trailing blank included", () => {
    let form = fresh();
    for (let n = 0; n < 100; n++) form = write(form, n, `option ${n}`);
    expect(form.options).toHaveLength(100);
    expect(form.options.at(-1)!.text).toBe("option 99");
    const fewer = after(form, { type: "removeOption", id: form.options[0]!.id, blankId: "b" });
    expect(fewer.options).toHaveLength(100);
    expect(fewer.options.at(-1)!.text).toBe("");
  });
  test("R-POLL-12: of two blank options at the end the last goes, one stays", () => {
    expect(texts(write(withOptions("Tea", "Milk"), 1, ""))).toEqual(["Tea", ""]);
    expect(texts(write(withOptions("Tea"), 0, " "))).toEqual([" "]);
    expect(texts(write(withOptions("Tea", "", "Milk", ""), 2, ""))).toEqual(["Tea", ""]);
  });
  test("an option nobody knows changes nothing", () => {
    const form = withOptions("Tea");
    expect(nextPollForm(form, { type: "option", id: "nobody", text: "x", blankId: "b" })).toBe(form);
    expect(nextPollForm(form, { type: "removeOption", id: "nobody", blankId: "b" })).toBe(form);
  });
  test("R-POLL-13: every reason alone forbids it", () => {
    const good = after(withOptions("Tea", "Milk"), { type: "name", value: "Drink?" });
    expect(canCreatePoll(good)).toBe(true);
    expect(canCreatePoll(after(good, max("1")))).toBe(false);
    expect(canCreatePoll(after(good, unique(true), max("5")))).toBe(false);
    expect(canCreatePoll(write(good, 0, ""))).toBe(false);
    expect(canCreatePoll(write(good, 1, "tea"))).toBe(false);
    expect(canCreatePoll(after(fresh(), { type: "name", value: "Drink?" }))).toBe(false);
    // A field error that was not judged away counts (R-POLL-9: turning unique off does not).
    expect(canCreatePoll(after(good, unique(true), max("5"), unique(false)))).toBe(false);
    expect(canCreatePoll(after(good, max("5")))).toBe(true);
  });
  test("R-POLL-14: the first error by name, options from the top, max votes", () => {
    let form = after(withOptions("Tea", "", "tea"), max("x"));
    expect(firstPollError(form)).toBe("Question is required");
    form = after(form, { type: "name", value: "Drink?" });
    expect(firstPollError(form)).toBe("Option is empty");
    form = write(form, 1, "Milk");
    expect(firstPollError(form)).toBe("Option already exists");
    form = write(form, 2, "Oat");
    expect(firstPollError(form)).toBe("Only numbers are allowed");
    expect(firstPollError(after(form, max("")))).toBeUndefined();
    expect(firstPollError(after(fresh(), { type: "name", value: "Drink?" }))).toBe("A poll needs an option");
  });
  test("R-POLL-15: blanks dropped, texts trimmed, description and max votes only when given", () => {
    const form = after(
      withOptions(" Tea ", "Milk", ""),
      { type: "name", value: " Drink? " },
      { type: "description", value: "  " },
    );
    expect(pollPayload(form)).toEqual({
      id: "p",
      name: "Drink?",
      options: [
        { id: "o0", text: "Tea" },
        { id: form.options[1]!.id, text: "Milk" },
      ],
      enforce_unique_vote: false,
      allow_answers: false,
      allow_user_suggested_options: false,
      voting_visibility: "public",
      user_id: "ada",
    });
    const full = after(
      form,
      { type: "description", value: " now " },
      max("3"),
      { type: "answers", on: true },
      { type: "suggestions", on: true },
      { type: "visibility", value: "anonymous" },
    );
    expect(pollPayload(full)).toMatchObject({
      description: "now",
      max_votes_allowed: 3,
      allow_answers: true,
      allow_user_suggested_options: true,
      voting_visibility: "anonymous",
    });
  });
  test("R-POLL-16: untouched fields show no error before the first create attempt, then all are judged", () => {
    expect(fresh().errors).toEqual({ options: {} });
    const options = withOptions("Tea", "tea");
    expect(options.errors.name).toBeUndefined();
    const judged = nextPollForm(options, { type: "judge" });
    expect(judged.errors.name).toBe("Question is required");
    expect(faults(judged)).toEqual([undefined, "Option already exists", undefined]);
    // A change validates only its own field again.
    expect(after(judged, { type: "description", value: "x" }).errors).toEqual(judged.errors);
    expect(after(judged, { type: "name", value: "x" }).errors.name).toBeUndefined();
  });
});

describe("creating", () => {
  function composer(answer: () => Promise<unknown>) {
    const calls: { name: string; body: Record<string, unknown> }[] = [];
    const sent: string[] = [];
    const notices: { level: string; text: string; reason?: string }[] = [];
    const poll = new PollComposer({
      call: ((name: string, args: { body: Record<string, unknown> }) => {
        calls.push({ name, body: args.body });
        return answer();
      }) as never,
      random: fixedRandom(),
      userId: () => "ada",
      sendPoll: (id) => {
        sent.push(id);
        return `ada-message-of-${id}`;
      },
      notify: (notice) => notices.push(notice as never),
    });
    const fill = (): void => {
      poll.edit({ type: "name", value: "Drink?" });
      poll.edit({ type: "option", id: poll.state().form.options[0]!.id, text: "Tea" });
    };
    return { poll, calls, sent, notices, fill };
  }
  const made = (): Promise<unknown> => Promise.resolve({ poll: { id: "p-9" }, duration: "" });

  test("R-POLL-14: refused without a request while it cannot be created; the errors show", async () => {
    const c = composer(made);
    expect(await c.poll.create()).toBeUndefined();
    expect(c.calls).toEqual([]);
    expect(c.notices).toMatchObject([{ level: "error", text: "Question is required" }]);
    expect(c.poll.state().form.errors.name).toBe("Question is required");
  });
  test("R-POLL-17: the poll, then a message with its id, then a form with new ids", async () => {
    const c = composer(made);
    c.fill();
    const { id } = c.poll.state().form;
    expect(await c.poll.create()).toBe("ada-message-of-p-9");
    expect(c.calls).toMatchObject([
      { name: "createPoll", body: { id, name: "Drink?", options: [{ text: "Tea" }], user_id: "ada" } },
    ]);
    expect(c.sent).toEqual(["p-9"]);
    expect(c.poll.state()).toMatchObject({ creating: false, form: { name: "" } });
    expect(c.poll.state().form.id).not.toBe(id);
    expect(c.notices).toEqual([]);
  });
  test("R-POLL-17: on failure the form stays, a notice says why, and a later try makes a poll of its own", async () => {
    const c = composer(() => Promise.reject(new ApiError("no polls here", { status: 400, code: 19 })));
    c.fill();
    expect(await c.poll.create()).toBeUndefined();
    expect(c.sent).toEqual([]);
    expect(c.notices).toMatchObject([{ level: "error", reason: "no polls here" }]);
    expect(c.poll.state()).toMatchObject({ creating: false, form: { name: "Drink?" } });
    await c.poll.create();
    expect(c.calls[0]!.body.id).not.toBe(c.calls[1]!.body.id);
  });
  test("a second create while one runs is refused, and listeners hear of each change once", async () => {
    const gate = Promise.withResolvers<unknown>();
    const c = composer(() => gate.promise);
    c.fill();
    await Promise.resolve();
    let told = 0;
    c.poll.subscribe(() => told++);
    const first = c.poll.create();
    expect(await c.poll.create()).toBeUndefined();
    expect(c.calls).toHaveLength(1);
    expect(told).toBe(1);
    gate.resolve({ poll: { id: "p-1" } });
    await first;
    await Promise.resolve();
    expect(told).toBe(2);
  });
});
