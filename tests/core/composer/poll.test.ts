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
const apply = (form: PollForm, ...inputs: PollInput[]): PollForm => inputs.reduce(nextPollForm, form);
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
const optionErrors = (form: PollForm): (string | undefined)[] =>
  form.options.map(({ id }) => form.errors.options[id]);
const max = (value: string): PollInput => ({ type: "maxVotes", value });
const unique = (on: boolean): PollInput => ({ type: "uniqueVote", on });

describe("examples of specification/polls.md §6", () => {
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
    expect(apply(fresh(), max(value)).errors.max_votes_allowed).toBe(text);
  });
  test("an option moves by one place and is validated there; the first, the last and the blank option do not move further", () => {
    const move = (form: PollForm, at: number, by: 1 | -1): PollForm =>
      nextPollForm(form, { type: "moveOption", id: form.options[at]!.id, by, blankId: "b" });
    const form = withOptions("tea", "milk", "Tea");
    expect(texts(form)).toEqual(["tea", "milk", "Tea", ""]);
    expect(optionErrors(form)).toEqual([undefined, undefined, "Option already exists", undefined]);
    const moved = move(form, 2, -1);
    expect(texts(moved)).toEqual(["tea", "Tea", "milk", ""]);
    expect(optionErrors(moved)).toEqual([undefined, "Option already exists", undefined, undefined]);
    expect(move(form, 0, -1)).toBe(form);
    expect(move(form, 2, 1)).toBe(form);
    expect(move(form, 3, -1)).toBe(form);
  });
  test('R-POLL-9: turning "unique vote" on empties max votes and its error', () => {
    const form = apply(fresh(), max("5"), unique(true));
    expect(form).toMatchObject({ max_votes_allowed: "", enforce_unique_vote: true });
    expect(form.errors).toEqual({ options: {} });
    expect(apply(fresh(), max("abc"), unique(true)).errors).toEqual({ options: {} });
  });
  test('R-POLL-7: max votes is refused while "unique vote" is on', () => {
    expect(apply(fresh(), unique(true), max("5")).errors.max_votes_allowed).toBe(
      "Enforce unique vote is enabled",
    );
  });
  test('R-POLL-9: turning "unique vote" off changes nothing else', () => {
    const form = apply(fresh(), unique(true), max("5"));
    expect(apply(form, unique(false))).toEqual({ ...form, enforce_unique_vote: false });
  });
  test("R-POLL-8: max votes is checked for digits, then range, then unique vote, and has only the first error", () => {
    const on = apply(fresh(), unique(true));
    expect(apply(on, max("abc")).errors.max_votes_allowed).toBe("Only numbers are allowed");
    expect(apply(on, max("11")).errors.max_votes_allowed).toBe("Type a number from 2 to 10");
  });
  test("R-POLL-2: a blank option in the middle is an error, a blank last one is not", () => {
    const form = withOptions("Tea", "", "Milk");
    expect(texts(form)).toEqual(["Tea", "", "Milk", ""]);
    expect(optionErrors(form)).toEqual([undefined, "Option is empty", undefined, undefined]);
    expect(optionErrors(withOptions("Tea", ""))).toEqual([undefined, undefined]);
  });
  test("R-POLL-3: an option that differs only in case or blanks from an earlier one is a duplicate", () => {
    const form = withOptions("Tea", "tea ", "");
    expect(texts(form)).toEqual(["Tea", "tea ", ""]);
    expect(optionErrors(form)).toEqual([undefined, "Option already exists", undefined]);
    // The error is on the later of two equal options, in whatever order they were written; blanks are never duplicates.
    expect(optionErrors(write(withOptions("Coffee", "Tea"), 0, "TEA"))).toEqual([
      undefined,
      "Option already exists",
      undefined,
    ]);
    expect(optionErrors(withOptions("Tea", "", "Milk", ""))[3]).toBeUndefined();
  });
  test("R-POLL-13: a poll without a question cannot be created", () => {
    expect(canCreatePoll(withOptions("Tea"))).toBe(false);
    expect(canCreatePoll(apply(withOptions("Tea"), { type: "name", value: " Drink? " }))).toBe(true);
  });
});

describe("fields and options", () => {
  test("R-POLL-1: a question of blanks is an error", () => {
    expect(apply(fresh(), { type: "name", value: " \t" }).errors.name).toBe("Question is required");
    expect(
      apply(fresh(), { type: "name", value: "" }, { type: "name", value: "x" }).errors.name,
    ).toBeUndefined();
  });
  test("R-POLL-10: writing into the last blank option appends a new blank one with a new id", () => {
    const form = write(fresh(), 0, "Tea");
    expect(texts(form)).toEqual(["Tea", ""]);
    expect(form.options[1]!.id).not.toBe(form.options[0]!.id);
    // With a blank one in the middle none is appended.
    expect(texts(write(withOptions("Tea", "", "Milk"), 3, "Oat"))).toEqual(["Tea", "", "Milk", "Oat"]);
  });
  test("R-POLL-11: a poll has at most 100 options, the trailing blank one included", () => {
    let form = fresh();
    for (let n = 0; n < 100; n++) form = write(form, n, `option ${n}`);
    expect(form.options).toHaveLength(100);
    expect(form.options.at(-1)!.text).toBe("option 99");
    const fewer = apply(form, { type: "removeOption", id: form.options[0]!.id, blankId: "b" });
    expect(fewer.options).toHaveLength(100);
    expect(fewer.options.at(-1)!.text).toBe("");
  });
  test("R-POLL-12: of two blank options at the end the last is removed", () => {
    expect(texts(write(withOptions("Tea", "Milk"), 1, ""))).toEqual(["Tea", ""]);
    expect(texts(write(withOptions("Tea"), 0, " "))).toEqual([" "]);
    expect(texts(write(withOptions("Tea", "", "Milk", ""), 2, ""))).toEqual(["Tea", ""]);
  });
  test("changing an unknown option changes nothing", () => {
    const form = withOptions("Tea");
    expect(nextPollForm(form, { type: "option", id: "nobody", text: "x", blankId: "b" })).toBe(form);
    expect(nextPollForm(form, { type: "removeOption", id: "nobody", blankId: "b" })).toBe(form);
  });
  test("R-POLL-13: each error alone makes the poll impossible to create", () => {
    const good = apply(withOptions("Tea", "Milk"), { type: "name", value: "Drink?" });
    expect(canCreatePoll(good)).toBe(true);
    expect(canCreatePoll(apply(good, max("1")))).toBe(false);
    expect(canCreatePoll(apply(good, unique(true), max("5")))).toBe(false);
    expect(canCreatePoll(write(good, 0, ""))).toBe(false);
    expect(canCreatePoll(write(good, 1, "tea"))).toBe(false);
    expect(canCreatePoll(apply(fresh(), { type: "name", value: "Drink?" }))).toBe(false);
    // A field error that was not judged away counts (R-POLL-9: turning unique off does not).
    expect(canCreatePoll(apply(good, unique(true), max("5"), unique(false)))).toBe(false);
    expect(canCreatePoll(apply(good, max("5")))).toBe(true);
  });
  test("R-POLL-14: the first error is that of the question, then of the options from the top, then of max votes", () => {
    let form = apply(withOptions("Tea", "", "tea"), max("x"));
    expect(firstPollError(form)).toBe("Question is required");
    form = apply(form, { type: "name", value: "Drink?" });
    expect(firstPollError(form)).toBe("Option is empty");
    form = write(form, 1, "Milk");
    expect(firstPollError(form)).toBe("Option already exists");
    form = write(form, 2, "Oat");
    expect(firstPollError(form)).toBe("Only numbers are allowed");
    expect(firstPollError(apply(form, max("")))).toBeUndefined();
    expect(firstPollError(apply(fresh(), { type: "name", value: "Drink?" }))).toBe("A poll needs an option");
  });
  test("R-POLL-15: the request omits blank options, trims texts and has description and max votes only when given", () => {
    const form = apply(
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
    const full = apply(
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
  test("R-POLL-16: untouched fields show no error until the first attempt to create the poll", () => {
    expect(fresh().errors).toEqual({ options: {} });
    const options = withOptions("Tea", "tea");
    expect(options.errors.name).toBeUndefined();
    const judged = nextPollForm(options, { type: "judge" });
    expect(judged.errors.name).toBe("Question is required");
    expect(optionErrors(judged)).toEqual([undefined, "Option already exists", undefined]);
    // A change validates only its own field again.
    expect(apply(judged, { type: "description", value: "x" }).errors).toEqual(judged.errors);
    expect(apply(judged, { type: "name", value: "x" }).errors.name).toBeUndefined();
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
      beforeCreate: async () => {},
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
  const createdPoll = (): Promise<unknown> => Promise.resolve({ poll: { id: "p-9" }, duration: "" });

  test("R-POLL-14: an invalid poll is refused without a request, and its errors show", async () => {
    const c = composer(createdPoll);
    expect(await c.poll.create()).toBeUndefined();
    expect(c.calls).toEqual([]);
    expect(c.notices).toMatchObject([{ level: "error", text: "Question is required" }]);
    expect(c.poll.state().form.errors.name).toBe("Question is required");
  });
  test("R-POLL-17: creating makes the poll, sends a message with its id and starts a form with new ids", async () => {
    const c = composer(createdPoll);
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
  test("R-POLL-17: when creating fails the form stays, a notice says why, and the next try uses a new poll id", async () => {
    const c = composer(() => Promise.reject(new ApiError("no polls here", { status: 400, code: 19 })));
    c.fill();
    expect(await c.poll.create()).toBeUndefined();
    expect(c.sent).toEqual([]);
    expect(c.notices).toMatchObject([{ level: "error", reason: "no polls here" }]);
    expect(c.poll.state()).toMatchObject({ creating: false, form: { name: "Drink?" } });
    await c.poll.create();
    expect(c.calls[0]!.body.id).not.toBe(c.calls[1]!.body.id);
  });
  test("a second create during a running one is refused, and subscribers are called once per change", async () => {
    const gate = Promise.withResolvers<unknown>();
    const c = composer(() => gate.promise);
    c.fill();
    await Promise.resolve();
    let notified = 0;
    c.poll.subscribe(() => notified++);
    const first = c.poll.create();
    expect(await c.poll.create()).toBeUndefined();
    expect(c.calls).toHaveLength(1);
    expect(notified).toBe(1);
    gate.resolve({ poll: { id: "p-1" } });
    await first;
    await Promise.resolve();
    expect(notified).toBe(2);
  });
});
