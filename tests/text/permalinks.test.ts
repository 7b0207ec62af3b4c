/** Addresses of messages in texts: where one begins and ends, and that nothing of the text around is lost. */
import { expect, test } from "vitest";
import { addressesIn, permalinksIn } from "../../src/text/permalinks.ts";
import { hostile } from "./hostile.ts";

const A = "parley:messaging:general/m1";
const B = "parley:team:!members-x_1/ana-0a1b@c";

test.each<[string, string[]]>([
  ["", []],
  ["no address", []],
  [A, [A]],
  [`see ${A}, and (${B}).`, [A, B]],
  [`${A} ${B}`, [A, B]],
  [`${A}\n${B}\n${A}`, [A, B]],
  [`"${A}"`, [A]],
  [`x${A}`, []],
  [`https://a.example/${A}`, []],
  [`parley:${A}`, []],
  ["parley:messaging:general", []],
  ["parley:messaging:general/", []],
  ["parley:messaging/m1", []],
  ["parley::general/m1", []],
  ["PARLEY:messaging:general/m1", []],
])("%j holds %j, each once", (text, addresses) => {
  expect(addressesIn(text)).toEqual(addresses);
});

test("the pieces are the whole text in order, with each address as a piece of its own", () => {
  expect(permalinksIn(`a ${A} b ${A}, ${B}`)).toEqual([
    { text: "a ", address: false },
    { text: A, address: true },
    { text: " b ", address: false },
    { text: A, address: true },
    { text: ", ", address: false },
    { text: B, address: true },
  ]);
  for (const text of hostile)
    for (const whole of [text, `${text} ${A}`, `${A} ${text}`])
      expect(
        permalinksIn(whole)
          .map((piece) => piece.text)
          .join(""),
      ).toBe(whole);
});
