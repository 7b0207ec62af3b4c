/** Computes the choices of a picker: fixed ones filtered by the query, or ones made from the query. */
import { shortcodeOf, completeEmoji, emojiOf } from "../../../text/emoji.ts";
import { wholeDate } from "../../../text/times.ts";
import { channelByTypedId } from "../../navigation/join-list.ts";
import { parseWhen } from "../../../text/when.ts";
import { words } from "../../../text/words.ts";
import { preferredFirst } from "../../screen/emoji-use.ts";
import { typedValueChoice } from "../preferences/settings.ts";
import { quietChoices } from "../preferences/do-not-disturb.ts";
import type { Places } from "../../../atlas/read.ts";
import { positionChoices, durationChoices } from "../map/share-location.ts";
import { timeChoices } from "../lists/reminders.ts";
import { reasonChoices } from "../moderation/report.ts";
import { typedChoice } from "../poll/card.ts";
import { newSectionChoice } from "../sidebar/arrangement.ts";
import { filterChoices, filterActions } from "./goto.ts";
import type { Choice, Picker, Popup } from "../../screen/popup.ts";
import { memoizeLast } from "../../screen/store.ts";

const REACTIONS = [
  "+1",
  "heart",
  "joy",
  "tada",
  "eyes",
  "rocket",
  "thinking_face",
  "white_check_mark",
  "wave",
  "-1",
];

const NO_PREFERRED = { favourites: [], recent: [] };

/** Choices made from the query. */
function choicesFromQuery(
  popup: Picker,
  now: number,
  utc: boolean,
  places: Places | undefined,
): readonly Choice[] {
  const query = popup.query.trim();
  if (popup.name === "react") {
    const preferred = popup.preferred ?? NO_PREFERRED;
    const names = query
      ? [...[shortcodeOf(query) ?? []].flat(), ...completeEmoji(query, 30).map(({ name }) => name)]
      : [...new Set([...preferredFirst(preferred), ...REACTIONS])];
    return names.flatMap((name) => {
      const emoji = emojiOf(name);
      const mark = preferred.favourites.includes(name) ? { mark: words.popups.favourite } : {};
      return emoji ? [{ label: `${emoji}  ${name}`, value: name, ...mark }] : [];
    });
  }
  if (popup.name === "settingText") return typedValueChoice(popup);
  if (popup.name === "locationPlace" || popup.name === "locationMove") return positionChoices(query, places);
  if (popup.name === "locationTime") return durationChoices(query);
  if (popup.name === "pollOption" || popup.name === "pollComment") return typedChoice(query);
  if (popup.name === "flag") return reasonChoices(query);
  if (popup.name === "quiet") return quietChoices(query, now, utc);
  if (popup.name === "remind") return timeChoices(query, now, utc);
  // A message cannot be sent in the past or at no time.
  if (popup.name === "sendAt")
    return timeChoices(query, now, utc).filter(({ value }) => Date.parse(value) > now);
  if (popup.name === "date" && query) {
    try {
      return [{ label: wholeDate(parseWhen(query, { now, direction: "past", utc }), { utc }), value: query }];
    } catch {
      return [];
    }
  }
  return [];
}

/** The existing sections, and the typed one if it is new. */
const sectionChoices = (query: string, all: readonly Choice[]): Choice[] => [
  ...filterChoices(all, query),
  ...newSectionChoice(query, all),
];

const TIME_DEPENDENT: ReadonlySet<Picker["name"]> = new Set<Picker["name"]>([
  "date",
  "remind",
  "sendAt",
  "quiet",
]);

/** Whether the choices depend on the current time. */
export const dependsOnTime = (popup: Popup): boolean =>
  popup.kind === "picker" && TIME_DEPENDENT.has(popup.name);

/** Places, then actions; a view that is both, such as the inbox, is listed once, with the key of its action. */
function withActions(places: readonly Choice[], actions: readonly Choice[]): Choice[] {
  const byValue = new Map(actions.map((action) => [action.value, action]));
  const merged = places.map((place) => byValue.get(place.value) ?? place);
  return [...new Set([...merged, ...actions])];
}

/** Memoised, because the list, its keys and its hints all request it. */
const memoizedChoices = memoizeLast(
  (popup: Picker, now: number, utc: boolean, places: Places | undefined): readonly Choice[] => {
    const { name, query, choices, actions } = popup;
    if (name === "section") return sectionChoices(query, choices ?? []);
    if (name === "join")
      return [
        ...filterChoices(choices ?? [], query.replace(/^#/, "")),
        ...channelByTypedId(query, choices ?? []),
      ];
    // A query such as "poll" in the goto list also finds actions.
    if (actions && query.trim() !== "")
      return withActions(filterChoices(choices ?? [], query), filterActions(actions, query));
    return choices ? filterChoices(choices, query) : choicesFromQuery(popup, now, utc, places);
  },
);

/** `now` in ms; `places` are those of the atlas, once it is loaded. */
export const choicesOf = (
  popup: Popup | undefined,
  now: number,
  utc: boolean,
  places?: Places,
): readonly Choice[] =>
  popup?.kind === "picker" ? memoizedChoices(popup, dependsOnTime(popup) ? now : 0, utc, places) : [];
