/** Drafts on the command line: those of the provider and those written on this machine, side by side. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { findAppFolder, storeFiles } from "../../src/config/app-folders.ts";
import { providerDir } from "../../src/config/paths.ts";
import { storedIdentity } from "../../src/provider/lifecycle/identity.ts";
import { openStore } from "../../src/core/store/open-store.ts";
import { PROOF } from "../support/proof.ts";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
beforeAll(async () => {
  home = makeHome({ here: !PROOF });
  await home.sh("parley channel create messaging:ops; parley channel create messaging:tea");
});
afterAll(() => home.end());

const filesOf = (user: string): { state: string; cache: string } => {
  const key = storedIdentity(providerDir(home.env))!.apiKey;
  return storeFiles(findAppFolder(home.env, { key }, "local").places, user);
};

test("draft list shows the drafts of the provider and of this machine, newest first, with their origin", async () => {
  const store = openStore({ ...filesOf("mira"), userId: "mira" });
  const at = (minutes: number): number => Date.now() + minutes * 60_000;
  store.saveDraft({ cid: "messaging:ops", text: "half a thought", updatedAt: at(-90) });
  store.saveDraft({ cid: "messaging:tea", parentId: "t1", text: "a reply", updatedAt: at(60) });
  store.saveDraft({ cid: "messaging:tea", text: "better", editingId: "m1", updatedAt: at(-95) });
  store.close();
  expect((await home.sh("parley draft set -c '#ops' from elsewhere")).code).toBe(0);

  const list = (flags: string): Promise<string> =>
    home.sh(`parley draft list ${flags}`).then(({ out, err, code }) => {
      expect({ err, code }).toEqual({ err: "", code: 0 });
      return out;
    });
  expect(await list("--jq '[.origin,.channel_cid,.parent_id,.message.text,.editing]|@csv'")).toBe(
    `${[
      '"machine","messaging:tea","t1","a reply",',
      '"provider","messaging:ops",,"from elsewhere",',
      '"machine","messaging:ops",,"half a thought",',
      '"machine","messaging:tea",,"better","m1"',
    ].join("\n")}\n`,
  );
  expect(await list("-c '#ops' --jq '[.origin,.message.text]|@csv'")).toBe(
    '"provider","from elsewhere"\n"machine","half a thought"\n',
  );
  expect(await list("-c '#ops'")).toMatch(/from elsewhere.*the provider\n.*half a thought.*this machine\n/);
  expect(await list("--limit 1 --jq .message.text 2> /dev/null")).toBe("a reply\n");
});

test("draft list --replaced shows drafts that another Parley on this machine has overwritten, newest first", async () => {
  const open = () => openStore({ ...filesOf("mira"), userId: "mira" });
  const [one, two] = [open(), open()];
  one.saveDraft({ cid: "messaging:two", text: "of the first", updatedAt: 1 });
  two.saveDraft({ cid: "messaging:two", text: "of the second", updatedAt: 2 });
  one.saveDraft({ cid: "messaging:two", text: "of the first again", updatedAt: 3 });
  one.close();
  two.close();
  const replaced = async (flags: string): Promise<string> =>
    (await home.sh(`parley draft list --replaced ${flags} --jq .message.text`)).out;
  expect(await replaced("")).toBe("of the second\nof the first\n");
  expect(await replaced("--limit 1")).toBe("of the second\n");
  expect(await replaced("-c messaging:tea")).toBe("");
});

test("sending a message from the shell does not change the channel's draft", async () => {
  await home.sh("parley send '#tea' nothing to do with it");
  const { out } = await home.sh("parley draft list -c '#tea' --jq .message.text");
  expect(out).toBe("a reply\nbetter\n");
});
