/** The tour: the list of its steps, and the banner with the next step. */
import { cellWidth, truncate } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import { showChord } from "../../input/chord.ts";
import { actionRow, type ActionName, type KeyContext } from "../../keys/action-table.ts";
import { chordsFor } from "../../keys/lookup.ts";
import type { Theme } from "../../render/theme.ts";
import type { Choice } from "../../screen/popup.ts";
import type { Ports } from "../../ports/ports.ts";
import { openPicker, showNotice } from "../../screen/notices.ts";
import { nextStep, saveTour } from "../../screen/tour.ts";
import { STEPS, type TourStep, type Tour } from "../../screen/tour-steps.ts";

/** The actions whose keys are named in the text of a step, in order. */
const KEYS: Readonly<Record<TourStep, readonly [ActionName, KeyContext][]>> = {
  reply: [
    ["escape", "global"],
    ["thread", "browse"],
  ],
  react: [
    ["escape", "global"],
    ["react", "browse"],
  ],
  vote: [
    ["escape", "global"],
    ["vote1", "browse"],
  ],
  search: [["search.show", "global"]],
  attach: [["attach", "global"]],
  save: [
    ["escape", "global"],
    ["save", "browse"],
  ],
  theme: [],
  leave: [["clear", "global"]],
};

/** The key table and the profile: only the demo's guide answers the word "poll" with a poll. */
type TourPorts = Pick<Ports, "keys"> & { settings: Pick<Ports["settings"], "profile"> };

/** The instruction for a step. */
function howTo({ keys: table, settings }: TourPorts, step: TourStep): string {
  const chords = KEYS[step].map(([action, where]) => {
    const [chord = ""] = chordsFor(table, action, [where]);
    return chord.split(" ").map(showChord).join(" ");
  });
  const { how, voteWithoutGuide, attachWriting, byMenu } = words.tour;
  const missing = KEYS[step].find((_, i) => chords[i] === "")?.[0];
  const [menu] = chordsFor(table, "menu", ["browse"]);
  if (missing !== undefined && menu !== undefined)
    return byMenu(chords[0]!, showChord(menu), actionRow(missing).title);
  if (step === "vote" && settings.profile !== "local") return voteWithoutGuide(chords[0]!, chords[1]!);
  // In the Vim profile the chord of "attach" has another meaning while browsing.
  const boundInBrowse = table.browse[chordsFor(table, "attach", ["global"])[0] ?? ""];
  if (step === "attach" && boundInBrowse !== undefined) return attachWriting(chords[0]!);
  return how[step](...chords);
}

/** `tour 3 of 8 · Vote in a poll: write poll here, then Esc and 1 · /tour`; shorter forms keep what to do. */
export function tourRow(tour: Tour, ports: TourPorts, theme: Theme, width: number): string {
  const step = nextStep({ tour })!;
  const [label, how] = [words.tour.label(STEPS.indexOf(step) + 1, STEPS.length), howTo(ports, step)];
  const whole = ` ${label} · ${words.tour.steps[step]}: `;
  const forms = [
    [whole, `${how} · ${words.tour.more}`],
    [whole, how],
    // The step's name is preferred over its number, and over how it is done, which the list says, too.
    [` ${words.tour.steps[step]}: `, how],
    [` ${words.tour.steps[step]} · `, words.tour.listed],
  ] as const;
  const [head, rest] = forms.find((form) => cellWidth(form.join("")) <= width) ?? [
    " ",
    words.tour.steps[step],
  ];
  return theme.accent(head) + theme.bold(truncate(rest, width - 1));
}

/** Opens the list of steps, with choices to restart and to end the tour. */
export function openTour(ports: Ports): void {
  const { store } = ports;
  const tour = store.screen.tour?.on ? store.screen.tour : { done: [], on: true };
  saveTour(ports, tour);
  const steps = STEPS.map((step): Choice => ({
    label: `${tour.done.includes(step) ? "✓" : "○"} ${words.tour.steps[step]}`,
    detail: howTo(ports, step),
    choose: () => {},
  }));
  const choices = [
    ...steps,
    { label: words.tour.again, choose: () => saveTour(ports, { done: [], on: true }) },
    { label: words.tour.off, choose: () => endTour(ports) },
  ];
  const selected = Math.max(0, STEPS.indexOf(nextStep({ tour })!));
  openPicker(ports, { title: words.tour.title, selected, choices });
}

export function endTour(ports: Ports): void {
  saveTour(ports, { done: ports.store.screen.tour?.done ?? [], on: false });
  showNotice(ports, words.tour.ended);
}
