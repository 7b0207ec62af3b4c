/** The file of private authorities: every certificate in it is taken, and every one is checked. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readAuthorities } from "../../src/config/authorities.ts";
import { makeAuthority, type Authority } from "../support/certificates.ts";

let folder: string;
let authorities: Authority[];
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-authorities-"));
  authorities = [makeAuthority(), makeAuthority()];
});
afterAll(() => {
  for (const one of authorities) one.remove();
  rmSync(folder, { recursive: true, force: true });
});

function file(text: string): string {
  const name = path.join(folder, "ca.pem");
  writeFileSync(name, text);
  return name;
}
const BROKEN = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";

test("all certificates of the file are read, with words between them", async () => {
  const [first, second] = authorities.map(({ pem }) => pem.trim());
  expect(await readAuthorities(file(`# ours\n${first}\n\n# theirs\r\n${second}\n`))).toEqual([first, second]);
});

test("one that cannot be read is told, wherever it stands, and so is a file without any, or none", async () => {
  const [{ pem }] = authorities as [Authority];
  for (const text of [BROKEN, `${BROKEN}${pem}`, `${pem}${BROKEN}`])
    await expect(readAuthorities(file(text))).rejects.toThrow("caFile: a certificate in ");
  await expect(readAuthorities(file("no certificate"))).rejects.toThrow("contains no PEM certificate");
  const missing = path.join(folder, "missing.pem");
  await expect(readAuthorities(missing)).rejects.toThrow(`caFile: ${missing} cannot be read (ENOENT).`);
});
