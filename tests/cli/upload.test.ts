/** Uploads from the command line: files, standard input, progress beside the data, the app's rules, and messages with files. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signToken } from "../../src/wire/token.ts";
import { startFakeProvider } from "../support/fake-provider.ts";
import { PROOF } from "../support/proof.ts";
import { Pty } from "../support/pty.ts";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
beforeAll(async () => {
  home = makeHome({ here: !PROOF });
  await home.sh(
    "parley channel create messaging:ops; printf hello > a.txt; printf world > b.txt; printf x > c.exe",
  );
  writeFileSync(path.join(home.folder, "work/big.bin"), Buffer.alloc(2_000_000, 7));
});
afterAll(() => home.end());

test("files are uploaded and printed one per line; standard input is uploaded as a file too", async () => {
  const ran = await home.sh("parley upload -c '#ops' a.txt b.txt --jq '[.name,.size]|@tsv'");
  expect(ran).toEqual({ out: "a.txt\t5\nb.txt\t5\n", err: "", code: 0 });
  const { out } = await home.sh("echo from a pipe | parley upload -c '#ops' - --jq .url");
  expect(await (await fetch(out.trim())).text()).toBe("from a pipe\n");
});

test("a refused file does not stop the others, and the error names it", async () => {
  const { code, out, err } = await home.sh("parley upload nowhere.txt a.txt . b.txt --jq .name");
  expect([code, out, err]).toEqual([
    9,
    "a.txt\nb.txt\n",
    "error: 2 of 4 failed: nowhere.txt (There is no file nowhere.txt), . (. is a folder)\n",
  ]);
});

test("a file from the web keeps its name, whatever its script, and an address that is none is refused", async () => {
  const server = createServer((_, response) => response.end("x")).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { out, code } = await home.sh(
    `parley upload '${url}/%E5%A0%B1%E5%91%8A.pdf' '${url}/100%.txt' --jq .name`,
  );
  expect([out, code]).toEqual(["報告.pdf\n100%.txt\n", 0]);
  server.close();
  expect(await home.sh("parley upload http://")).toMatchObject({ code: 2, out: "" });
});

test("progress is printed on standard error: a bar on a terminal, lines or JSON on request, else nothing", async () => {
  const plain = await home.sh("parley upload -c '#ops' big.bin --progress plain --jq .name");
  expect(plain.out).toBe("big.bin\n");
  const lines = plain.err.trimEnd().split("\n");
  expect(lines.at(-1)).toBe("100% big.bin");
  expect(lines.filter((line) => line === "100% big.bin")).toHaveLength(1);
  const json = await home.sh("parley upload -c '#ops' big.bin --progress json --ndjson=name");
  expect(json.out).toBe('{"name":"big.bin"}\n');
  for (const line of json.err.trimEnd().split("\n"))
    expect(JSON.parse(line)).toMatchObject({ event: "progress", total: 1, text: "big.bin" });
  expect((await home.sh("parley upload -c '#ops' big.bin --jq .name")).err).toBe("");
  await using pty = Pty.spawn(home.built, ["upload", "-c", "#ops", "big.bin"], {
    cols: 60,
    cwd: path.join(home.folder, "work"),
    env: home.env,
  });
  expect((await pty.end()).exitCode).toBe(0);
  expect(pty.raw).toMatch(/\[#{20}\] 100% big\.bin/);
  expect(pty.text()).not.toContain("%");
});

test("--message sends all files in one message, and send --file one with a text", async () => {
  const ran = await home.sh("parley upload -c '#ops' --message a.txt b.txt --jq .message_id");
  expect(ran.code).toBe(0);
  const [id, same] = ran.out.trim().split("\n");
  expect(id).toBe(same);
  const sent = await home.sh(
    `parley message get ${id} --jq '[.text, (.attachments|map(.title)|join(","))]|@tsv'`,
  );
  expect(sent.out).toBe("\ta.txt,b.txt\n");
  const other = await home.sh("parley send '#ops' --id with-1 --file b.txt see this");
  expect(other).toEqual({ out: "with-1\n", err: "", code: 0 });
  expect((await home.sh("parley message get with-1 --jq '[.text,.attachments[0].title]|@tsv'")).out).toBe(
    "see this\tb.txt\n",
  );
});

test("a dry run shows every call of a message with files and a poll, and sends none", async () => {
  await home.sh("printf 'name: Lunch?\noptions: [Soup, Rice]\n' > lunch.yaml");
  const body = "'.[-1].body.message | del(.poll_id), (.poll_id | length > 0)'";
  const dry = (line: string) => home.sh(`parley ${line} --dry-run --json --jq 'map(.operation) | join(" ")'`);
  const send = "send '#ops' --file a.txt --file b.txt --poll lunch.yaml dry";
  expect((await dry(send)).out).toBe("UploadFile UploadFile CreatePoll SendMessage\n");
  expect((await home.sh(`parley ${send} --dry-run --json --jq ${body}`)).out).toBe(
    `${JSON.stringify({
      text: "dry",
      attachments: ["a.txt", "b.txt"].map((title) => ({
        type: "file",
        title,
        mime_type: "text/plain",
        file_size: 5,
      })),
    })}\ntrue\n`,
  );
  expect(
    (await home.sh("parley upload -c '#ops' a.txt -n --jq '[.operation,.path,.body]|join(\" \")'")).out,
  ).toBe("UploadFile /channels/messaging/ops/file a.txt\n");
  expect((await dry("upload -c '#ops' --message a.txt")).out).toBe("UploadFile SendMessage\n");
  expect((await dry("poll create -c '#ops' Lunch? --option Soup")).out).toBe("CreatePoll SendMessage\n");
  expect(
    (await home.sh("parley message list -c '#ops' --json --jq 'map(select(.text == \"dry\"))'")).out,
  ).toBe("[]\n");
  expect((await home.sh("parley poll list")).out).toBe("");
});

test("a missing file exits with 3 and a folder with 7, and nothing is sent", async () => {
  for (const [line, words, code] of [
    ["upload -c '#ops' ./no/where.txt", "There is no file ./no/where.txt", 3],
    ["upload -c '#ops' .", "is a folder", 7],
    ["send '#ops' --id none-1 --file nowhere.txt text", "There is no file nowhere.txt", 3],
  ] as const) {
    const ran = await home.sh(`parley ${line}`);
    expect([line, ran.out, ran.code]).toEqual([line, "", code]);
    expect(ran.err).toContain(words);
  }
});

test("an upload that stalls longer than --timeout exits with 10", async () => {
  const fake = await startFakeProvider();
  fake.on["GET /app"] = () => ({ body: { app: {}, duration: "" } });
  fake.on["POST /uploads/file"] = () => ({ raw: () => {} });
  const token = signToken({ user_id: "mira" }, "s");
  await home.sh(`printf %s '${token}' | parley login still --url ${fake.url} --key k --with-token --no-test`);
  const began = performance.now();
  const { code, err } = await home.sh("parley -p still upload a.txt --timeout 200ms");
  expect([code, err]).toEqual([10, expect.stringContaining("the upload stood still for 0.2 s")]);
  expect(performance.now() - began).toBeLessThan(20_000);
  await home.sh("parley profile remove still --yes");
  await fake.close();
});

test("eleven files in one message exit with 7 before the first upload; uploaded alone they work", async () => {
  const files = Array.from({ length: 11 }, (_, n) => `f${n}.txt`);
  await home.sh(files.map((file) => `printf ${file} > ${file}`).join("; "));
  const flags = files.map((file) => `--file ${file}`).join(" ");
  for (const line of [
    `message send -c '#ops' --id many-1 ${flags} all of them`,
    `send '#ops' --id many-1 ${flags}`,
    `upload -c '#ops' --message ${files.join(" ")}`,
  ]) {
    const ran = await home.sh(`parley ${line} -v`);
    expect([ran.out, ran.code]).toEqual(["", 7]);
    expect(ran.err).toContain("error: A message can have at most 10 files\n");
    expect(ran.err).not.toContain("UploadFile");
  }
  expect((await home.sh("parley message get many-1")).code).toBe(3);
  const alone = await home.sh(`parley upload -c '#ops' ${files.join(" ")} --jq .name`);
  expect(alone).toEqual({ out: `${files.join("\n")}\n`, err: "", code: 0 });
});

test("a file that the app's rules forbid exits with 7 before any upload", async () => {
  const fake = await startFakeProvider();
  const limits = { allowed_file_extensions: [], blocked_mime_types: [], allowed_mime_types: [] };
  fake.on["GET /app"] = () => ({
    body: {
      app: {
        name: "strict",
        file_upload_config: { ...limits, blocked_file_extensions: [".exe"], size_limit: 1_000_000 },
        image_upload_config: { ...limits, blocked_file_extensions: [], size_limit: 1_000_000 },
      },
    },
  });
  fake.on["GET /channels/messaging/ops"] = () => ({
    body: { channel: { cid: "messaging:ops", id: "ops", type: "messaging" }, members: [] },
  });
  try {
    await home.sh(
      `printf %s '${signToken({ user_id: "mira" }, "s")}' | parley login strict --url ${fake.url} --key k --with-token --no-test`,
    );
    for (const line of [
      "upload -c '#ops' c.exe",
      "upload -c '#ops' big.bin",
      "send '#ops' --id none-2 --file c.exe run it",
    ]) {
      const ran = await home.sh(`parley ${line}`);
      expect([line, ran.out, ran.code]).toEqual([line, "", 7]);
      expect(ran.err).toMatch(
        /^error: The attachment upload was blocked\n {2}because: \S+: (its extension is on the provider's block list|it is larger than the provider allows)/,
      );
    }
    expect(fake.seen.filter(({ method }) => method === "POST").map((one) => one.path)).toEqual([]);
  } finally {
    await home.sh("parley profile remove strict --yes");
    await fake.close();
  }
});
