/** Three screens on a running provider: what is written with /only is on the screen of those it is for, and nowhere on an outsider's (R-SEND-16). */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Core } from "../../../../src/core/core.ts";
import { createProvider, type Provider } from "../../../../src/provider/provider.ts";
import { openChannel } from "../../../../src/tui/navigation/open-channel.ts";
import { signToken } from "../../../../src/wire/token.ts";
import { coreOn } from "../../../support/core-on.ts";
import { until } from "../../../support/fake-provider.ts";
import { realScreen, type RealScreen } from "../../../support/real-screen.ts";

const SECRET = "a secret that is long enough for a test";
const CID = "messaging:tea";
const PEOPLE = ["mira", "bo", "eve"] as const;
type Person = (typeof PEOPLE)[number];
let folder: string;
let provider: Provider;
let cores: Record<Person, Core>;
let screens: Record<Person, RealScreen>;

const forEach = <T>(make: (person: Person) => T): Record<Person, T> =>
  Object.fromEntries(PEOPLE.map((person) => [person, make(person)])) as Record<Person, T>;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "parley-only-"));
  provider = createProvider({ data: path.join(folder, "data"), secret: SECRET });
  await provider.listen();
  const server = coreOn(provider.url, { apiKey: provider.apiKey, secret: SECRET });
  const users = { mira: { id: "mira", role: "admin" }, bo: { id: "bo" }, eve: { id: "eve" } };
  await server.call("upsertUsers", { body: { users } });
  await server.close();
  cores = forEach(() => coreOn(provider.url, { apiKey: provider.apiKey }));
  for (const person of PEOPLE) {
    await cores[person].connectUser({ id: person }, signToken({ user_id: person }, SECRET));
    await cores[person].watch(CID, person === "mira" ? { members: [...PEOPLE] } : undefined);
  }
  screens = forEach((person) => realScreen(cores[person]));
  for (const person of PEOPLE) openChannel(screens[person].ports, CID);
});
afterEach(async () => {
  for (const person of PEOPLE) {
    screens[person].close();
    await cores[person].close();
  }
  await provider.close();
  await rm(folder, { recursive: true, force: true });
});

const enter = (person: Person, line: string): void =>
  screens[person].press(...line.split("").map((c) => (c === " " ? "space" : c)), "enter");
const entry = (person: Person) => cores[person].state().channels.get(CID)!;
const texts = (person: Person): string[] =>
  entry(person).sets.flatMap((set) => [...set.messages].map(({ text }) => text));

test("R-SEND-16: an outsider sees neither the message nor what is quoted of it", async () => {
  enter("mira", "/only @bo the key has changed");
  await until("bo has it", () => texts("bo").includes("the key has changed"));
  enter("mira", "/only -");
  enter("mira", "good morning");
  for (const person of ["bo", "eve"] as const)
    await until(`${person} has the next one`, () => texts(person).includes("good morning"));
  expect(texts("eve")).toEqual(["good morning"]);
  expect(JSON.stringify([...cores.eve.state().channels.values()])).not.toContain("the key");

  // Bo may not write to some only: the answer stays, and to all it goes without what it quotes.
  screens.bo.ports.boxes.quote(
    [...entry("bo").sets[0]!.messages].find(({ text }) => text === "the key has changed")!,
  );
  enter("bo", "thanks");
  expect(screens.bo.ports.boxes.at().editor.text).toBe("thanks");
  screens.bo.press("C-u");
  enter("bo", "/only -");
  enter("bo", "thanks to all");
  await until("eve has the answer", () => texts("eve").includes("thanks to all"));
  expect(JSON.stringify(entry("eve").sets.flatMap((set) => [...set.messages]))).not.toContain("the key");
  expect(texts("eve")).toEqual(["good morning", "thanks to all"]);
});
