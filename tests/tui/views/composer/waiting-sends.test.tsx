/** Enter during an upload: the message is sent once its files are there (R-SEND-15). */
import { afterEach, expect, test } from "vitest";
import type { UploadedFile } from "../../../../src/wire/entities/attachment.ts";
import { FakeCore, channel, stateOf } from "../../../support/fake-core.ts";
import { fakeDisk } from "../../../support/fake-disk.ts";
import { mount, type Mounted } from "../../../support/mount.tsx";

const files = fakeDisk({ "/home/me/a.png": 1, "/home/me/b.txt": 2 });
let m: Mounted;
afterEach(() => m.unmount());

/** A screen whose uploads end when the test says so. */
async function uploading(): Promise<{ answers: PromiseWithResolvers<UploadedFile>[]; sent(): unknown[] }> {
  const core = new FakeCore(stateOf([channel("general"), channel("ops")]));
  const answers: PromiseWithResolvers<UploadedFile>[] = [];
  core.uploads.transfer = (_, __, options) => {
    options?.started?.();
    const answer = Promise.withResolvers<UploadedFile>();
    answers.push(answer);
    return answer.promise;
  };
  core.uploads.prepare = async (file) => ({
    source: { name: file.split("/").at(-1)!, size: 1 } as never,
    attachment: { type: "file", title: file },
  });
  m = await mount(core, { disk: files });
  return {
    answers,
    sent: () =>
      core.calls("send").map((args) => {
        const [at, { text, uploads }] = args as Parameters<FakeCore["send"]>;
        return [at.cid, text, uploads?.length];
      }),
  };
}
const DONE: UploadedFile = { file: "https://files.example/x", duration: "1ms" };
const box = () => m.ports.boxes.at();

test("R-SEND-15: Enter during an upload waits, says so, and sends when the last file is there", async () => {
  const { answers, sent } = await uploading();
  await m.type("look ");
  await m.paste("/home/me/a.png");
  await m.press("A-h");
  await m.paste("/home/me/b.txt");
  await m.press("A-h");
  expect([answers.length, m.text().includes("uploads on Enter")]).toEqual([0, true]);
  await m.press("enter");
  expect([answers.length, sent()]).toEqual([2, []]);
  expect(m.text()).toContain("sends when uploaded");
  answers[0]!.resolve(DONE);
  await m.settle();
  expect(sent()).toEqual([]);
  answers[1]!.resolve(DONE);
  await m.settle();
  expect([sent(), box().editor.text, box().uploads]).toEqual([[["messaging:general", "look ", 2]], "", []]);
});

test("R-SEND-15: it is sent to its channel, also when another one is open", async () => {
  const { answers, sent } = await uploading();
  await m.type("look ");
  await m.paste("/home/me/a.png");
  await m.press("A-h", "enter");
  m.open("messaging:ops");
  answers[0]!.resolve(DONE);
  await m.settle();
  expect(sent()).toEqual([["messaging:general", "look ", 1]]);
});

test("R-SEND-15: a change of the text, a removed file or a failed upload leaves the message in the box", async () => {
  for (const [change, waits] of [
    [() => m.type("!"), true],
    [() => m.press("A-x"), true],
    [async () => {}, false],
  ] as const) {
    const { answers, sent } = await uploading();
    await m.type("look ");
    await m.paste("/home/me/a.png");
    await m.press("A-h", "enter");
    await change();
    if (waits) answers[0]!.resolve(DONE);
    else answers[0]!.reject(new Error("no room"));
    await m.settle();
    expect(sent()).toEqual([]);
    expect(box().editor.text).toMatch(/^look /);
    if (!waits) break;
    m.unmount();
  }
});
