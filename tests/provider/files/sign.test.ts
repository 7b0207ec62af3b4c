/** Signed addresses of stored files get the current base address when shown; forged ones stay as they are. */
import { expect, test } from "vitest";
import { createSigner } from "../../../src/provider/files/sign.ts";

const FILE = "/files/2ea248b6-e1f8-4965-ab2d-dc50f41466cb/a.png";

test("a URL stored before the port was known gets the current base, a forged one stays unchanged", () => {
  let base = "";
  const signer = createSigner(
    "secret",
    () => base,
    () => 1e15,
    () => 14 * 86_400,
  );
  const stored = JSON.stringify({ image_url: signer.sign(FILE) });
  const forged = stored.replace(/sig=./, "sig=_");
  base = "http://127.0.0.1:4000";
  expect(JSON.parse(signer.refresh(stored))).toEqual({ image_url: signer.sign(FILE) });
  expect(signer.sign(FILE)).toMatch(/^http:\/\/127\.0\.0\.1:4000\/files\//);
  expect(signer.refresh(forged)).toBe(forged);
  base = "http://127.0.0.1:5000";
  expect(
    signer.refresh(JSON.stringify({ asset_url: `http://127.0.0.1:4000${FILE}?Expires=1&sig=x` })),
  ).toContain(":4000");
});
