/** Where one can go: the channels and people of the go-to list, the list to forward to, and plain mode. */
import { expect, test } from "vitest";
import { placeChoices } from "../../../src/tui/navigation/destinations.ts";
import type { ChannelEntry } from "../../../src/model/state.ts";
import { channel, stateOf } from "../../support/fake-core.ts";

type Place = { cid: string } | { userId: string };

/** Each choice's detail, and where it leads. */
function placesIn(entries: readonly ChannelEntry[], openCid?: string): [string, string | undefined][] {
  const gone: Place[] = [];
  return placeChoices(stateOf(entries), openCid, (to) => gone.push(to)).map(({ choose, detail }) => {
    choose?.();
    const to = gone.pop()!;
    return ["cid" in to ? to.cid.replace("messaging:", "#") : `@${to.userId}`, detail];
  });
}

const blocked = (entry: ChannelEntry, isBlocked: boolean): ChannelEntry => ({
  ...entry,
  channel: { ...entry.channel, blocked: isBlocked },
});
const PEOPLE = [
  ["@ana", undefined],
  ["@bo", undefined],
  ["@cy", undefined],
];

test("hidden channels follow those of the sidebar and say so, and the open channel stands last", () => {
  const entries = [channel("tea"), channel("old", { hidden: true }), channel("ops")];
  const names = placesIn(entries).map(([name]) => name);
  expect(names.indexOf("#old")).toBe(2);
  expect(placesIn(entries, "messaging:tea")).toEqual([
    ["#ops", undefined],
    ["#old", "hidden"],
    ["#tea", undefined],
    ...PEOPLE,
  ]);
  expect(placesIn(entries, "messaging:old").slice(0, 3).at(-1)).toEqual(["#old", "hidden"]);
});

test.each([1, 2])(
  "what a block hides is no place to go to, and is again when the block ends (BL-2, BL-6): %d channels",
  (count) => {
    const hidden = Array.from({ length: count }, (_, n) => channel(`dm${n}`, { hidden: true }));
    const places = (isBlocked: boolean) =>
      placesIn([
        channel("ops"),
        channel("old", { hidden: true }),
        ...hidden.map((one) => blocked(one, isBlocked)),
      ]);
    const others = [
      ["#ops", undefined],
      ["#old", "hidden"],
    ];
    expect(places(true)).toEqual([...others, ...PEOPLE]);
    const ended = hidden.map(({ channel: { id } }) => [`#${id}`, "hidden"]);
    expect(places(false)).toEqual([...others, ...ended, ...PEOPLE]);
  },
);

test("a channel that cannot be opened any more is no place to go to, hidden or not", () => {
  const lost = (id: string, hidden: boolean) => channel(id, { hidden, unavailable: true });
  expect(placesIn([channel("ops"), lost("gone", true), lost("shut", false)])).toEqual([
    ["#ops", undefined],
    ...PEOPLE,
  ]);
});
