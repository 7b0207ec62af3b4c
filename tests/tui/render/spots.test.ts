/** The clickable spots of a message, and that the rows rendered to find them equal the visible rows. */
import { expect, test } from "vitest";
import { plain } from "../../../src/text/width.ts";
import { messageRows } from "../../../src/tui/render/message.ts";
import { spotsIn } from "../../../src/tui/render/spots.ts";
import type { ClientMessage } from "../../../src/model/state.ts";
import { context, group, message } from "./messages.ts";

const rich = (): ClientMessage =>
  message({
    text: "see https://ci.example/881 and ||the end||",
    reply_count: 2,
    quoted_message_id: "q",
    quoted_message: message({ id: "q", text: "what was said" }),
    reaction_groups: { eyes: group(1, 16), "odd:type": group(3, 15) },
    attachments: [
      { type: "image", title: "plan.png", image_url: "https://files.example/plan.png" },
      {
        type: "giphy",
        title: "cats",
        title_link: "https://gifs.example/cats",
        actions: [
          { name: "image_action", text: "Send", type: "button", value: "send" },
          { name: "image_action", text: "Shuffle", type: "button", value: "shuffle" },
        ],
      },
    ],
  });
const found = (m: ClientMessage, width = 80) =>
  spotsIn(messageRows(m, context({ width, spots: true }))).map(({ name, value }) =>
    `${name} ${value}`.trim(),
  );

test("links, files, buttons, reactions, the reply count, the quote, a spoiler and the author are spots", () =>
  expect(found(rich())).toEqual([
    "person",
    "quote",
    "link https://ci.example/881",
    "reveal",
    "link https://files.example/plan.png",
    "link https://gifs.example/cats",
    "button 1",
    "button 2",
    "react odd:type",
    "react eyes",
    "thread",
  ]));

test("spots of buttons and of the reply count have the position of their text", () => {
  const rows = messageRows(rich(), context({ width: 80, spots: true }));
  const textsOf = (kind: string): string[] =>
    spotsIn(rows)
      .filter(({ name }) => name === kind)
      .map(({ row, x, cells }) => plain(rows[row]!).slice(x, x + cells));
  expect(textsOf("button")).toEqual([
    expect.stringMatching(/^\[1 \w+\]$/),
    expect.stringMatching(/^\[2 \w+\]$/),
  ]);
  expect(textsOf("thread")).toEqual(["2 replies ›"]);
});

test.each([120, 80, 40, 20, 8])("at %i cells the rows are the same with and without spots", (width) => {
  const rows = messageRows(rich(), context({ width })).map(plain);
  expect(messageRows(rich(), context({ width, spots: true })).map(plain)).toEqual(rows);
});

test("an address in a message cannot imitate a spot", () => {
  const m = message({ text: "[x](spot:drop:) spot:drop: [y](https://a.example/spot:drop:)" });
  expect(found(m).filter((each) => each.startsWith("drop"))).toEqual([]);
});
