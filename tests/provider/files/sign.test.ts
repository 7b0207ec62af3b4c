/** Signed addresses of stored files get the current base address when shown; forged ones stay as they are. */
import { expect, test } from "vitest";
import { createSigner, type Signer } from "../../../src/provider/files/sign.ts";

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

const DAY = 86_400;
/** In seconds; not the beginning of a day. */
const NOW = 1_000_000_000;
const NEXT_DAY = Math.ceil(NOW / DAY) * DAY;
const signerAt = (now: () => number, lifetime: number): Signer =>
  createSigner(
    "secret",
    () => "http://here",
    () => now() * 1e6,
    () => lifetime,
  );
const expiryOf = (address: string): number => Number(new URL(address).searchParams.get("Expires"));

test.each([
  [90, NOW + 90],
  [DAY - 1, NOW + DAY - 1],
  [DAY, NEXT_DAY + DAY],
  [14 * DAY, NEXT_DAY + 14 * DAY],
])(
  "an address of %i seconds is exact below a day, and ends with a day from there on",
  (lifetime, expires) => {
    const signer = signerAt(() => NOW, lifetime);
    expect(expiryOf(signer.sign(FILE))).toBe(expires);
    expect(expiryOf(signer.signFor(FILE, 90))).toBe(NOW + 90);
  },
);

test("an address is valid before its second of expiry and not in it", () => {
  let now = NOW;
  const signer = signerAt(() => now, 90);
  const query = Object.fromEntries(new URL(signer.sign(FILE)).searchParams);
  now = NOW + 89;
  expect(() => signer.requireSigned(FILE, query)).not.toThrow();
  expect(() => signer.requireSigned(`${FILE}x`, query)).toThrow("the link is not signed");
  now = NOW + 90;
  expect(() => signer.requireSigned(FILE, query)).toThrow("the link has expired");
});
