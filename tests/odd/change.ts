/** Changes one value of an answer or event in a way that a provider may write it: null, absent, of another type, in another form. */
import type { Dice } from "../support/seeded.ts";

type Holder = Record<string, unknown>;
interface Spot {
  holder: Holder;
  key: string;
  /** `channels.0.messages.2.user` */
  path: string;
}

function spotsIn(value: unknown, path = ""): Spot[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.keys(value).flatMap((key) => {
    const at = path === "" ? key : `${path}.${key}`;
    return [{ holder: value as Holder, key, path: at }, ...spotsIn((value as Holder)[key], at)];
  });
}

const DATE = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
/** Keys whose values are choices. */
const CHOICES = new Set([
  "type",
  "role",
  "channel_role",
  "status",
  "level",
  "voting_visibility",
  "push_provider",
]);
const emptied = (value: unknown): unknown =>
  Array.isArray(value) ? [] : typeof value === "object" && value !== null ? {} : "";

/** What is done to a spot; each leaves JSON. */
const CHANGES: Readonly<Record<string, (spot: Spot, dice: Dice) => void>> = {
  null: ({ holder, key }) => (holder[key] = null),
  absent: ({ holder, key }) => {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
  },
  empty: ({ holder, key }) => (holder[key] = emptied(holder[key])),
  "other type": ({ holder, key }, dice) =>
    (holder[key] = dice.pick<unknown>([5, "x", true, [], {}, [5], [[]]])),
  "new field": ({ holder, key }) => {
    if (!Array.isArray(holder)) holder[`${key}_v2`] = { of: ["it"] };
  },
  "new enum": ({ holder, key }) => {
    if (typeof holder[key] === "string" && CHOICES.has(key)) holder[key] = "quite_new";
  },
  "id in another case": ({ holder, key }) => {
    if (typeof holder[key] === "string" && /(?:^|_)(?:c?id|ids|by)$/.test(key))
      holder[key] = holder[key].toUpperCase();
  },
  "other date": ({ holder, key }, dice) => {
    const date = holder[key];
    if (typeof date === "string" && DATE.test(date))
      holder[key] = dice.pick([
        `${date.slice(0, 19)}.000000001Z`,
        `${date.slice(0, 19)}+00:00`,
        new Date(Date.parse(date) + 7_200_000).toISOString().replace("Z", "+02:00"),
      ]);
  },
  "no date": ({ holder, key }, dice) => {
    if (typeof holder[key] === "string" && DATE.test(holder[key]))
      holder[key] = dice.pick(["yesterday", "2026-13-41T99:00:00Z", 1_772_600_767]);
  },
  "number as text": ({ holder, key }) => {
    if (typeof holder[key] === "number") holder[key] = String(holder[key]);
  },
  reversed: ({ holder, key }) => {
    if (Array.isArray(holder[key])) (holder[key] as unknown[]).reverse();
  },
  doubled: ({ holder, key }) => {
    if (Array.isArray(holder[key])) holder[key] = (holder[key] as unknown[]).flatMap((one) => [one, one]);
  },
};

/** Changes `value` and returns where and how, for the report of a failure. */
export function changeOne(value: object, dice: Dice): { path: string; how: string } {
  const spots = spotsIn(value);
  if (spots.length === 0) return { path: "", how: "nothing" };
  const spot = dice.pick(spots);
  const how = dice.pick(Object.keys(CHANGES));
  CHANGES[how]!(spot, dice);
  return { path: spot.path, how };
}
