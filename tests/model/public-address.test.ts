/** OG-3: no loopback, private or reserved address counts as public, in whatever form it is written. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { isPublic } from "../../src/model/public-address.ts";

test.each([
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.170",
  "192.0.2.1",
  "192.168.1.1",
  "198.18.0.1",
  "198.51.100.7",
  "203.0.113.9",
  "224.0.0.1",
  "239.255.255.255",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::ffff:8.8.8.8",
  "::127.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b:1::1",
  "100::1",
  "2001::1",
  "2001:db8::1",
  "2002:7f00:1::",
  "3fff::1",
  "fc00::1",
  "fd12:3456::1",
  "fe80::1",
  "fe80::1%eth0",
  "fec0::1",
  "ff02::1",
  "localhost",
  "",
  "8.8.8.8.8",
  "[::1]",
])("%s is not public", (address) => expect(isPublic(address)).toBe(false));

test.each([
  "8.8.8.8",
  "1.1.1.1",
  "93.184.215.14",
  "172.15.0.1",
  "172.32.0.1",
  "2606:2800:21f:cb07::1",
  "2a00:1450::1",
])("%s is public", (address) => expect(isPublic(address)).toBe(true));

test("no IPv4 address written as an IPv6 address is public", () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.constantFrom("::ffff:", "::", "64:ff9b::", "::ffff:0:"), (v4, prefix) => {
      expect(isPublic(prefix + v4)).toBe(false);
    }),
  );
});
