/** Mentions of messages that commands write (R-MENT-7). */
import { describe, expect, test } from "vitest";
import { nameMentions, requireNamed } from "../../src/commands/base/mentions.ts";

describe("R-MENT-7", () => {
  const asked: unknown[] = [];
  const core = {
    call: (op: string, { query }: { query: { filter_conditions: { id: { $in: string[] } } } }) => {
      asked.push([op, query.filter_conditions.id.$in]);
      return Promise.resolve({ users: [{ id: "u7", name: "Bo Ray" }] });
    },
  } as never;
  const named = async (text: string, ...mention: string[]): Promise<string[]> => [
    ...(await requireNamed({ core }, text, mention)).keys(),
  ];

  test("--mention finds whom the text names by id or by name, also in code, and looks up only names", async () => {
    expect(await named("@bo", "bo", "@bo")).toEqual(["bo"]);
    expect(await named("```\n@bo\n```", "bo")).toEqual(["bo"]);
    expect(asked).toEqual([]);
    expect(await named("_ask @BO RAY_ and @cy", "cy", "u7")).toEqual(["cy", "u7"]);
    expect(asked).toEqual([["queryUsers", ["u7"]]]);
  });

  test.each([
    ["bo ray", "bo"],
    ["", "bo"],
    ["me@bo and @bob", "bo"],
    ["@bo", ""],
    ["@bo", "b o"],
  ])(
    "--mention is a wrong use where the text does not name somebody, and for what is no id: %j %j",
    (text, id) => expect(named(text, id)).rejects.toMatchObject({ kind: "usage" }),
  );

  test("a text from standard input looks nobody up; a text given as an argument does, and says who was not found", async () => {
    const looked: string[] = [];
    const composer = (text: string) =>
      ({
        findMentions: () => Promise.resolve(looked.push(text)),
        mentions: () => ({ ids: [], unknown: ["x"], shared: [] }),
      }) as never;
    const notes: string[] = [];
    const call = { note: (line: string) => void notes.push(line) };
    for (const given of ["-", undefined]) await nameMentions(call, composer("piped"), given);
    expect([looked, notes]).toEqual([[], []]);
    await nameMentions(call, composer("given"), "hi @x");
    expect([looked, notes]).toEqual([["given"], ["Not mentioned: Nobody here is called @x."]]);
    await nameMentions(call, composer("asked"), "hi @x", new Map([["u7", ["u7", "X"]]]));
    expect([looked, notes]).toEqual([["given", "asked"], ["Not mentioned: Nobody here is called @x."]]);
  });
});
