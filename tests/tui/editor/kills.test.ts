/** Cut text: consecutive cuts join into one text in their original order, and the last thirty are kept. */
import { expect, test } from "vitest";
import { EDITS, insert, move } from "../../../src/tui/editor/edits.ts";
import { createEditor } from "../../../src/tui/editor/state.ts";

test("consecutive cuts to the left or right join in their original order", () => {
  let state = move(createEditor("one two three"), "finish");
  state = EDITS.killWordLeft(EDITS.killWordLeft(state));
  expect([state.text, state.kills[0]]).toEqual(["one ", "two three"]);
  let right = move(createEditor("one two three"), "start");
  right = EDITS.killWordRight(EDITS.killWordRight(right));
  expect([right.text, right.kills[0]]).toEqual([" three", "one two"]);
});

test("the last thirty cuts are kept", () => {
  let state = createEditor("");
  for (let n = 0; n < 40; n++) {
    state = insert(state, `w${n}`);
    state = EDITS.killWordLeft(state);
  }
  expect(state.kills).toHaveLength(30);
  expect([state.kills[0], state.kills.at(-1)]).toEqual(["w39", "w10"]);
});
