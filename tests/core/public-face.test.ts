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

/** An object of core's public interface, and how callers reach it. */
interface Face {
  type: string;
  file: string;
  /** Pattern of an expression that is the object. */
  source: string;
  /** Pattern of the object whose member it is, and that member, as in `const { threads } = core`. */
  owner?: { source: string; member: string };
}

const CORE = "\\b(?:core|client)";
/** A variable that holds a composer is called `composer` or `box`, also in loops and parameters. */
const COMPOSER = "\\b(?:composer(?:\\([^()]*\\))?|box|composers\\.get\\(placeKey\\(place\\)\\))";

const memberOf = (owner: string, type: string, file: string, member: string): Face => ({
  type,
  file: `src/core/${file}`,
  source: `${owner}\\.${member}`,
  owner: { source: owner, member },
});
/** What a member of core creates for each call; its arguments may hold calls. */
const createdBy = (member: string, type: string, file: string): Face => ({
  type,
  file: `src/core/${file}`,
  source: `${CORE}\\.${member}\\((?:[^()]|\\([^()]*\\))*\\)`,
});

/** What may stand before an object: `call.`, `this.#`. */
const PATH_TO = "(?:[\\w#]+[.?!]+)*#?";

const inBraces = (member: string): string => `\\{[^{}]*\\b${member}\\b[^{}]*\\}`;

/** `const { load } = call.core.threads`. */
const destructured = (member: string, object: string): string => `${inBraces(member)} = ${PATH_TO}${object};`;

/** Expressions that are the object in this file: the source itself, and variables that are assigned or declared as it. */
function objectsIn(text: string, { type, source, owner }: Face): string[] {
  const assigned = text.matchAll(new RegExp(`\\b(\\w+) = ${PATH_TO}${source};`, "g"));
  const declared = text.matchAll(new RegExp(`(#?\\w+)\\??: (?:${type}\\b|Pick<${type},)`, "g"));
  const names = [...assigned, ...declared].map(([, name]) => name!);
  const isTakenOut =
    owner &&
    new RegExp(
      `${destructured(owner.member, owner.source)}|boxes\\.change\\(\\(${inBraces(owner.member)}\\) =>`,
    ).test(text);
  if (isTakenOut) names.push(owner.member);
  return [source, ...names.map((name) => (name.startsWith("#") ? name : `\\b${name}`))];
}

/** `core.threads.load`, and `load` out of `const { load } = call.core.threads`. */
function isUsed(member: string, face: Face, by: readonly string[] = callers): boolean {
  return by.some((text) => {
    if (!text.includes(member)) return false;
    const object = `(?:${objectsIn(text, face).join("|")})`;
    return new RegExp(`${object}[?!]?\\s*\\.${member}\\b|${destructured(member, object)}`).test(text);
  });
}

/** Called by core itself on these objects, or part of every observable. */
const INNER = new Set(["onEvent", "onConnected", "reset", "subscribe"]);

describe.each<Face>([
  { type: "Core", file: "src/core/core.ts", source: CORE },
  { type: "Actions", file: "src/core/features/actions.ts", source: CORE },
  { type: "ChannelViewing", file: "src/core/features/viewing.ts", source: CORE },
  { type: "Lifecycle", file: "src/core/features/lifecycle.ts", source: CORE },
  { type: "MessageChanges", file: "src/core/outbox/outbox.ts", source: CORE },
  { type: "UnsentMessages", file: "src/core/outbox/outbox.ts", source: CORE },
  { type: "PageLoading", file: "src/core/features/pages.ts", source: CORE },
  memberOf(CORE, "ThreadList", "lists/threads.ts", "threads"),
  memberOf(CORE, "ReminderList", "lists/reminders.ts", "reminders"),
  memberOf(CORE, "LocationManager", "locations/manager.ts", "locations"),
  createdBy("search", "SearchSource", "lists/search.ts"),
  createdBy("members", "PagedList", "lists/paged-list.ts"),
])("$type", (face) => {
  const members = membersOf(face.file, face.type).filter((name) => !INNER.has(name));
  test("has members", () => expect(members.length).toBeGreaterThan(1));
  test.each(members)("%s is called", (member) => expect(isUsed(member, face)).toBe(true));
});

/** Calls of the composer and its registry to the composer's parts count too. */
describe.each<Face>([
  { type: "Composer", file: "src/core/composer/composer.ts", source: COMPOSER },
  memberOf(COMPOSER, "Suggestions", "composer/suggestions.ts", "suggestions"),
  memberOf(COMPOSER, "AttachmentComposer", "composer/attachments.ts", "attachments"),
  memberOf(COMPOSER, "LinkPreviews", "composer/link-previews.ts", "links"),
  memberOf(COMPOSER, "PollComposer", "composer/poll.ts", "poll"),
])("$type", (face) => {
  const joined = ["composer.ts", "composer-registry.ts"].map((name) => `src/core/composer/${name}`);
  const by = [...callers, ...joined.filter((file) => file !== face.file).map(read)];
  const members = membersOf(face.file, face.type).filter((name) => name !== "subscribe");
  test.each(members)("%s is called", (member) => expect(isUsed(member, face, by)).toBe(true));
});

describe("a member that nobody calls is detected", () => {
  const core: Face = { type: "Core", file: "src/core/core.ts", source: CORE };
  const threads = memberOf(CORE, "ThreadList", "lists/threads.ts", "threads");
  const calls = [
    "core.send(place)",
    "const { threads } = call.core;\nthreads.load()",
    "state.threads.map(show)",
  ];
  test.each([
    { member: "send", face: core, used: true },
    { member: "load", face: threads, used: true },
    { member: "load", face: core, used: false },
    { member: "send", face: threads, used: false },
  ])("$member of $face.type: $used", ({ member, face, used }) =>
    expect(isUsed(member, face, calls)).toBe(used),
  );
  test("what has the same name as one of core's objects does not count", () =>
    expect(isUsed("map", threads, calls.slice(2))).toBe(false));
});
