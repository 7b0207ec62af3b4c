/** The commands of docs/hosted.md run as they stand, with a profile that reaches the provider by its address. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { Home } from "../support/home.ts";

const GUIDE = readFileSync(path.resolve(import.meta.dirname, "../../docs/hosted.md"), "utf8");
const lines = [...GUIDE.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block]) =>
  block!.trimEnd().split("\n"),
);

test("every line of the guide succeeds in order, and the two people have talked", async () => {
  const home = new Home({ user: "zoe" });
  try {
    await home.run(["channel", "list"]);
    const { url, apiKey, secret } = home.provider()!;
    writeFileSync(path.join(home.folder, "secret.txt"), secret);
    Object.assign(home.env, { URL: url, KEY: apiKey });
    delete home.env.PARLEY_USER;
    expect(lines.length).toBeGreaterThan(10);
    for (const line of lines) {
      const { code, err } = await home.sh(line);
      expect([line, code, code === 0 ? "" : err]).toEqual([line, 0, ""]);
    }
    const read = await home.sh(
      "parley login bo --url $URL --key $KEY --with-token < bo.token && parley -p bo tail '#hello' --last 1 --no-follow --jq .message.text",
    );
    expect(read.out).toContain("Hello Bo");
    const report = JSON.parse(readFileSync(path.join(home.folder, "fits.json"), "utf8")) as {
      steps: { verdict: string }[];
    };
    expect(new Set(report.steps.map(({ verdict }) => verdict))).toEqual(new Set(["fits"]));
  } finally {
    await home.end();
  }
});
