/** The XSRF cookie is sent back as a header (specification/wire.md §4). */
import { expect, test } from "vitest";
import { createXsrf, XSRF_COOKIE, XSRF_HEADER } from "../../../src/core/http/call-attempt.ts";

test("the cookie and header names are those of common HTTP clients", () => {
  expect([XSRF_COOKIE, XSRF_HEADER]).toEqual(["XSRF-TOKEN", "X-XSRF-TOKEN"]);
});

test("the header has the value of the last cookie, and is not sent without one", () => {
  const xsrf = createXsrf();
  expect(xsrf.header()).toEqual({});
  xsrf.readCookie("session=1; Path=/, XSRF-TOKEN=abc%3D; Path=/; Secure");
  expect(xsrf.header()).toEqual({ "X-XSRF-TOKEN": "abc%3D" });
  xsrf.readCookie(undefined);
  xsrf.readCookie("NOT-XSRF-TOKEN=no");
  expect(xsrf.header()).toEqual({ "X-XSRF-TOKEN": "abc%3D" });
  xsrf.readCookie("XSRF-TOKEN=; Max-Age=0");
  expect(xsrf.header()).toEqual({});
});

test("a value that would break the header is ignored", () => {
  const xsrf = createXsrf();
  xsrf.readCookie("XSRF-TOKEN=a b");
  expect(xsrf.header()).toEqual({});
  xsrf.readCookie("XSRF-TOKEN=a\r\nX: y");
  expect(xsrf.header()).toEqual({});
});
