/** What blocks a connection: told from refused tunnels, sign-in pages and certificates, and what may end by itself. */
import { expect, test } from "vitest";
import {
  certificateObstacle,
  isLasting,
  isPortal,
  isReplaced,
  portObstacle,
  tunnelObstacle,
} from "../../src/model/obstacles.ts";

test.each<[status: unknown, kind: string | undefined]>([
  [301, "portal"],
  [302, "portal"],
  [399, "portal"],
  [511, "portal"],
  [400, "proxy"],
  [403, "proxy"],
  [404, "proxy"],
  [407, "proxy"],
  [451, "proxy"],
  // It may let the next one through.
  [408, undefined],
  [429, undefined],
  [500, undefined],
  [502, undefined],
  [503, undefined],
  [600, undefined],
  [403.5, undefined],
  ["403", undefined],
  [undefined, undefined],
])("a proxy that refuses a tunnel with %s is an obstacle: %s", (status, kind) => {
  expect(tunnelObstacle(status)?.kind).toBe(kind);
});

test("of the refusals of a proxy only a wrong password is told as one, all others with their status", () => {
  expect(tunnelObstacle(407)?.reason).toContain("password");
  expect(tunnelObstacle(403)?.reason).toBe("the proxy blocked the connection (403)");
});

test.each<[status: number, text: string, isOne: boolean]>([
  [200, "<!DOCTYPE html><p>Welcome", true],
  [200, "\n  <html lang=en>", true],
  [200, "<head>", true],
  [399, "<body>", true],
  [200, '{"html":"<html>"}', false],
  [200, "", false],
  [302, "", true],
  [304, "", false],
  [299, "", false],
  [400, "<html>", false],
  [502, "<html>", false],
  [511, "", true],
])("an answer %i with %j is the page of a network: %s", (status, text, isOne) => {
  expect(isPortal(status, text)).toBe(isOne);
});

test("a sign-in page may end by itself, certificates, proxies and ports do not", () => {
  expect(isLasting(undefined)).toBe(false);
  expect(isLasting(tunnelObstacle(302))).toBe(false);
  expect(isLasting(tunnelObstacle(403))).toBe(true);
  expect(isLasting(certificateObstacle("CERT_HAS_EXPIRED"))).toBe(true);
  expect(isLasting(portObstacle("EPROTO"))).toBe(true);
});

test("only the codes of Node are certificates or ports, and only a missing file of the program is an update", () => {
  for (const other of ["ECONNREFUSED", "constructor", "__proto__", ""]) {
    expect(certificateObstacle(other)).toBeUndefined();
    expect(portObstacle(other)).toBeUndefined();
  }
  const missing = { code: "ERR_MODULE_NOT_FOUND", url: "file:///opt/parley/dist/chunk.js" };
  expect(isReplaced(missing)).toBe(true);
  for (const other of [{ ...missing, url: undefined }, { ...missing, code: "ENOENT" }, undefined, null])
    expect(isReplaced(other)).toBe(false);
});
