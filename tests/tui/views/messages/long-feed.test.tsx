/** Page keys, steps and the cursor in a list far longer than the screen: nothing is skipped, and the cursor stays visible. */
import { listOf } from "../../../../src/tui/views/messages/list.ts";
import { afterEach, expect, test } from "vitest";
import { goToDay } from "../../../../src/tui/views/messages/navigation.ts";
import { feedWindow } from "../../../../src/tui/views/messages/feed/feed.ts";
import { scrollOf } from "../../../../src/tui/screen/screen.ts";
import { channel, FakeCore, message, stateOf } from "../../../support/fake-core.ts";
import { mount, type Mounted } from "../../../support/mount.tsx";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

const PLACE = { cid: "messaging:general" };
/** Three hundred messages over ten days by two people, some of them with several rows. */
const LONG = Array.from({ length: 300 }, (_, n) =>
  message(`m${n}`, n % 7 ? "ana" : "bo", n % 5 ? `text ${n}` : `text ${n}\nsecond row\nthird row`, {
    minute: n * 48,
  }),
);

async function browsing(): Promise<Mounted> {
  const m = await mount(new FakeCore(stateOf([channel("general", { messages: LONG })])), { rows: 30 });
  open.push(m);
  await m.press("esc");
  return m;
}

interface Position {
  /** First and last row of the window, counted in the whole list. */
  first: number;
  last: number;
  height: number;
  selected: string | undefined;
  /** Whether the cursor's message is visible. */
  inSight: boolean;
  /** Ids of the messages at the window's edges. */
  top: string;
  bottom: string;
}

function positionOf(m: Mounted): Position {
  const { feed, height } = listOf(m.ports, PLACE);
  const view = scrollOf(m.screen, PLACE);
  const { lines } = feedWindow(feed, height, view.anchor);
  const before = new Map<string, number>();
  let rows = 0;
  for (let index = 0; index < feed.length; index++)
    for (let row = 0; row < feed.rowsAt(index).length; row++)
      before.set(`${feed.idAt(index)}:${row}`, rows++);
  return {
    first: before.get(lines[0]!.key)!,
    last: before.get(lines.at(-1)!.key)!,
    height,
    selected: view.selected,
    inSight: lines.some(({ id }) => id === view.selected),
    top: lines[0]!.id,
    bottom: lines.at(-1)!.id,
  };
}

test("page up and down move by a window less one row, and the cursor moves along at the edge", async () => {
  const m = await browsing();
  let before = positionOf(m);
  expect(before).toMatchObject({ selected: "m299", inSight: true });
  for (let n = 0; n < 6; n++) {
    await m.press("pageup");
    const now = positionOf(m);
    expect(now.last).toBe(before.first);
    expect(now).toMatchObject({ inSight: true, selected: now.bottom });
    before = now;
  }
  const selectedUp = Number(before.selected!.slice(1));
  expect(selectedUp).toBeLessThan(270);
  for (let n = 0; n < 3; n++) {
    await m.press("pagedown");
    const now = positionOf(m);
    expect(now.first).toBe(before.last);
    expect(now).toMatchObject({ inSight: true, selected: now.top });
    before = now;
  }
  expect(Number(before.selected!.slice(1))).toBeGreaterThan(selectedUp);
});

test("half pages move by half a window", async () => {
  const m = await browsing();
  const before = positionOf(m);
  await m.press("C-u");
  expect(positionOf(m).last).toBe(before.last - Math.floor(before.height / 2));
  await m.press("C-u", "C-d");
  expect(positionOf(m).last).toBe(before.last - Math.floor(before.height / 2));
});

test("one key goes to the first or last message, and paging beyond the ends stays there", async () => {
  const m = await browsing();
  const end = positionOf(m);
  await m.press("g");
  expect(positionOf(m)).toMatchObject({ selected: "m0", inSight: true });
  await m.press("pageup");
  expect(positionOf(m)).toMatchObject({ first: 0, inSight: true });
  await m.press("G");
  expect(positionOf(m)).toEqual(end);
  await m.press("pagedown");
  expect(positionOf(m)).toEqual(end);
});

test("steps go to every neighbour up and down, and the window follows", async () => {
  const m = await browsing();
  for (let n = 298; n >= 240; n--) {
    await m.press("k");
    expect(positionOf(m)).toMatchObject({ selected: `m${n}`, inSight: true });
  }
  for (let n = 241; n <= 250; n++) {
    await m.press("j");
    expect(positionOf(m)).toMatchObject({ selected: `m${n}`, inSight: true });
  }
});

test("paging while writing moves the list and shows no cursor", async () => {
  const m = await browsing();
  await m.press("esc");
  const before = positionOf(m);
  await m.press("pageup", "pageup");
  const now = positionOf(m);
  expect(now.selected).toBeUndefined();
  expect(now.last).toBe(before.last - 2 * (before.height - 1));
});

test("a message that arrives while scrolled far up moves neither window nor cursor", async () => {
  const m = await browsing();
  await m.press("pageup", "pageup");
  const before = positionOf(m);
  m.core.arrive(PLACE.cid, message("new", "ana", "new below", { minute: 300 * 48 }));
  await m.settle();
  expect(positionOf(m)).toEqual(before);
});

test("going back by days stops at the start of the current day and then of each day before", async () => {
  const m = await browsing();
  const dayOf = (id: string | undefined): number => Math.floor((Number(id!.slice(1)) * 48 + 540) / 1440);
  const firstOf = (day: number): string => LONG.find(({ id }) => dayOf(id) === day)!.id;
  let today = dayOf("m299");
  goToDay(-1)(m.ports);
  expect(positionOf(m)).toMatchObject({ selected: firstOf(today), inSight: true });
  for (let n = 0; n < 4; n++) {
    today--;
    goToDay(-1)(m.ports);
    expect(positionOf(m)).toMatchObject({ selected: firstOf(today), inSight: true });
  }
  goToDay(1)(m.ports);
  expect(positionOf(m)).toMatchObject({ selected: firstOf(today + 1), inSight: true });
});
