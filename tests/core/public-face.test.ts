/** Every member of core's public interface is called, by this program or by an example for other programs. */
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { parseSync } from "rolldown/experimental";
import { describe, expect, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");
const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");

/** Sources that may call it: everything but core and the provider, and the examples. */
const callers = [
  ...readdirSync(path.join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .map((file) => `src/${file.replaceAll(path.sep, "/")}`)
    .filter((file) => /\.tsx?$/.test(file) && !/^src\/(core|provider)\//.test(file)),
  "docs/example-client.mjs",
  "docs/example-lists.mjs",
].map(read);

interface Signature {
  type: string;
  key?: { type?: string; name?: string };
}

/** Names of the public members that an interface or a class declares. */
function membersOf(file: string, name: string): string[] {
  const { body } = parseSync(file, read(file)).program as unknown as { body: Record<string, never>[] };
  for (const { declaration } of body as {
    declaration?: { id?: { name: string }; body?: { body: Signature[] } };
  }[])
    if (declaration?.id?.name === name && declaration.body)
      return declaration.body.body.flatMap(({ key }) =>
        key?.name === undefined || key.type === "PrivateIdentifier" || key.name === "constructor"
          ? []
          : [key.name],
      );
  throw new Error(`${file} declares no ${name}`);
}

/** `core.send`, and `send` out of `const { send } = call.core`. */
function isUsed(member: string, objects: readonly string[], by: readonly string[] = callers): boolean {
  const object = `\\b(?:${objects.join("|")})`;
  const pattern = new RegExp(
    `${object}(?:\\([^)]*\\))?[?!]?\\s*\\.${member}\\b|\\{[^{}]*\\b${member}\\b[^{}]*\\} = (?:\\w+\\.)*${object}\\b`,
  );
  return by.some((source) => pattern.test(source));
}

/** Called by core itself on these objects, or part of every observable. */
const INNER = new Set(["onEvent", "onConnected", "reset", "subscribe"]);

describe.each<[face: string, file: string, objects: string[]]>([
  ["Core", "src/core/core.ts", ["core", "client"]],
  ["Actions", "src/core/features/actions.ts", ["core"]],
  ["ChannelViewing", "src/core/features/viewing.ts", ["core"]],
  ["Lifecycle", "src/core/features/lifecycle.ts", ["core", "client"]],
  ["MessageChanges", "src/core/outbox/outbox.ts", ["core", "client"]],
  ["UnsentMessages", "src/core/outbox/outbox.ts", ["core", "client"]],
  ["PageLoading", "src/core/features/pages.ts", ["core", "client"]],
  ["ThreadList", "src/core/lists/threads.ts", ["threads"]],
  ["ReminderList", "src/core/lists/reminders.ts", ["reminders"]],
  ["LocationManager", "src/core/locations/manager.ts", ["locations"]],
  ["SearchSource", "src/core/lists/search.ts", ["search", "found"]],
  ["PagedList", "src/core/lists/paged-list.ts", ["members", "reminders"]],
])("%s", (type, file, objects) => {
  const members = membersOf(file, type).filter((name) => !INNER.has(name));
  test("has members", () => expect(members.length).toBeGreaterThan(1));
  test.each(members)("%s is called", (member) => expect(isUsed(member, objects)).toBe(true));
});

/** Calls of the composer and its registry to the composer's parts count too. */
describe.each<[part: string, file: string, objects: string[]]>([
  ["Composer", "composer.ts", ["composer", "box", "get\\(placeKey\\(place\\)\\)"]],
  ["Suggestions", "suggestions.ts", ["suggestions"]],
  ["AttachmentComposer", "attachments.ts", ["attachments"]],
  ["LinkPreviews", "link-previews.ts", ["links"]],
  ["PollComposer", "poll.ts", ["poll"]],
])("%s", (part, file, objects) => {
  const joined = ["composer.ts", "composer-registry.ts"].filter((each) => each !== file);
  const by = [...callers, ...joined.map((each) => read(`src/core/composer/${each}`))];
  const members = membersOf(`src/core/composer/${file}`, part).filter((name) => name !== "subscribe");
  test.each(members)("%s is called", (member) => expect(isUsed(member, objects, by)).toBe(true));
});

test("a member that nobody calls is detected", () => {
  expect(isUsed("send", ["core"])).toBe(true);
  expect(isUsed("sendNothing", ["core", "client"])).toBe(false);
});
