/** Certificates for tests: an authority nobody trusts, and certificates signed by it, valid or wrong in one way. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export interface Pair {
  cert: string;
  key: string;
}

export interface Authority {
  /** PEM file of the authority, for NODE_EXTRA_CA_CERTS and the setting. */
  file: string;
  pem: string;
  /** A certificate for these host names; `days` below zero makes one that has expired. */
  issue(names: readonly string[], days?: number): Pair;
  remove(): void;
}

const CURVE = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

export function makeAuthority(): Authority {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-ca-"));
  const openssl = (...words: string[]): void =>
    void execFileSync("openssl", words, { cwd: folder, stdio: "pipe" });
  const read = (name: string): string => readFileSync(path.join(folder, name), "utf8");
  openssl(
    "req",
    "-x509",
    ...CURVE,
    "-keyout",
    "ca.key",
    "-out",
    "ca.pem",
    "-days",
    "30",
    "-subj",
    "/CN=Test authority",
  );
  let count = 0;
  return {
    file: path.join(folder, "ca.pem"),
    pem: read("ca.pem"),
    issue(names, days = 30) {
      const name = `site${++count}`;
      openssl("req", ...CURVE, "-keyout", `${name}.key`, "-out", `${name}.csr`, "-subj", `/CN=${names[0]}`);
      const listed = names.map((one) => (/^[\d.]+$/.test(one) ? `IP:${one}` : `DNS:${one}`));
      writeFileSync(path.join(folder, `${name}.ext`), `subjectAltName=${listed.join(",")}\n`);
      openssl(
        "x509", "-req", "-in", `${name}.csr`, "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
        "-days", String(days), "-extfile", `${name}.ext`, "-out", `${name}.pem`,
      ); // prettier-ignore
      return { cert: read(`${name}.pem`), key: read(`${name}.key`) };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
