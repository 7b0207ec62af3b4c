/** Popups: what opens them, what their lists hold, and what choosing means. */
import { segments } from "../../../text/graphemes.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { setText } from "../../editor/edits.ts";
import { actionOf, gotoChoices, inboxChoices, paletteChoices } from "../../complete/goto.ts";
import { isAction } from "../../keys/action-table.ts";
import { choicesOf } from "./choices.ts";
import { lastTop } from "./rows.ts";
import { channelTitle } from "../../../model/channels.ts";
import { withEditor } from "../../screen/composer.ts";
import { focused, popupChanged, popupPopped, popupPushed, popupTyped } from "../../screen/moves.ts";
import { canConfirm, queryOf } from "../../screen/popup.ts";
import type { Choice, Popup } from "../../screen/popup.ts";
import { topPopup } from "../../screen/screen.ts";
import type { Ui } from "../../ui.ts";
import { mayEdit, mayRemove } from "../messages/allowed.ts";
import { menuTitle, openAddress, toggleReaction } from "../messages/actions.ts";
import { openPanel } from "../../navigation/opening.ts";
import { jumpTo } from "../messages/moving.ts";

/** Runs a binding that a list named; given by the table of handlers, which holds this file too. */
type Runner = (ui: Ui, action: string) => void;

export const openGoto = (ui: Ui): void => picker(ui, "goto", "Go to", gotoChoices(ui.state, ui.screen.cid));
export const openInbox = (ui: Ui): void => {
  const choices = inboxChoices(ui.state, ui.model.now);
  if (choices.length) picker(ui, "goto", "Inbox", choices);
  else ui.tell("The inbox is empty.", "success");
};
export const openDrafts = (ui: Ui): void => {
  const choices = ui.draftsElsewhere().flatMap((d): Choice[] => {
    const entry = ui.entry(d.cid);
    if (!entry) return [];
    const where =
      d.parentId === undefined
        ? channelTitle(entry, ui.core.userId)
        : `${channelTitle(entry, ui.core.userId)} · thread`;
    const value = d.parentId === undefined ? `channel:${d.cid}` : `thread:${d.parentId} ${d.cid}`;
    return [{ label: where, detail: cleanLine(d.text), value }];
  });
  if (choices.length) picker(ui, "goto", "Drafts", choices);
  else
    ui.tell(
      ui.composer().editor.text.trim() === "" ? "There are no drafts." : "The only draft is in the box.",
    );
};
export const openPalette = (ui: Ui): void => {
  const contexts =
    ui.screen.focus === "composer"
      ? (["write", "global"] as const)
      : (["browse", "global", "write"] as const);
  picker(ui, "palette", "Actions and commands", paletteChoices(ui.keys, contexts));
};
/** Actions of the browsing mode that go somewhere instead of doing something with the message. */
const NOT_OF_A_MESSAGE: ReadonlySet<string> = new Set([
  "browseFirst",
  "browseLast",
  "dayBefore",
  "dayAfter",
  "firstUnread",
  "menu",
  "jump",
]);
/** What can be done with the message under the cursor; what it does not allow is left out. */
export const openMenu = (ui: Ui): void => {
  const title = menuTitle(ui);
  const message = ui.selected();
  if (title === undefined || !message) return;
  const allowed = (action: string | undefined): boolean => {
    if (action === undefined || NOT_OF_A_MESSAGE.has(action)) return false;
    if (action === "edit") return mayEdit(ui, message);
    if (action === "remove") return mayRemove(ui, message);
    return action !== "drop" || message.status === "failed";
  };
  picker(
    ui,
    "palette",
    title,
    paletteChoices(ui.keys, ["browse"]).filter((c) => allowed(actionOf(c.value))),
  );
};
export const openHelp = (ui: Ui): void =>
  ui.change((s) => popupPushed(s, { kind: "help", query: "", top: 0 }));

function picker(ui: Ui, name: "goto" | "palette", title: string, choices: readonly Choice[]): void {
  ui.change((s) => popupPushed(s, { kind: "picker", name, title, query: "", selected: 0, choices }));
}

export const popupStep =
  (by: number) =>
  (ui: Ui): void =>
    ui.change((s) =>
      popupChanged(s, (popup) => {
        if (popup.kind === "picker") {
          const { length } = choicesOf(popup, ui.model.now, ui.model.look.utc);
          if (!length) return popup;
          const at = popup.selected + by;
          // One step goes round the ends, a page stops at them.
          const selected =
            Math.abs(by) === 1 ? (at + length) % length : Math.max(0, Math.min(length - 1, at));
          return { ...popup, selected };
        }
        if (popup.kind === "help" || popup.kind === "sheet") {
          const last = lastTop(popup, { columns: s.columns, rows: s.rows, table: ui.keys });
          return { ...popup, top: Math.max(0, Math.min(last, Math.min(last, popup.top) + by)) };
        }
        return popup;
      }),
    );

export function pickTyped(ui: Ui, popup: Popup, text: string): void {
  if (popup.kind !== "sheet")
    ui.change((s) => popupTyped(s, queryOf(popup) + text.replace(/[\x00-\x1f\x7f-\x9f]/g, "")));
}

export function popupErase(ui: Ui): void {
  const popup = topPopup(ui.screen);
  if (!popup) return;
  const last = [...segments(queryOf(popup))].at(-1);
  if (last) ui.change((s) => popupTyped(s, queryOf(popup).slice(0, last.index)));
}
export const popupClear = (ui: Ui): void => ui.change((s) => popupTyped(s, ""));

/** y, n and Enter of a question; true when the key was taken. */
export function answerKey(
  ui: Ui,
  popup: Extract<Popup, { kind: "confirm" }>,
  chord: string,
  text: string | undefined,
): boolean {
  const close = (yes: boolean): true => {
    ui.change(popupPopped);
    ui.answer(popup.token, yes);
    return true;
  };
  if (chord === "enter" && popup.question.level !== "moderate") return canConfirm(popup) ? close(true) : true;
  if (text === undefined || popup.question.level === "severe") return false;
  if (text === "y" || text === "Y") return close(true);
  if (text === "n" || text === "N") return close(false);
  return true;
}

/** Enter in a list. */
export function popupAccept(ui: Ui, run: Runner): void {
  const popup = topPopup(ui.screen);
  if (popup?.kind !== "picker") {
    if (popup?.kind === "help" || popup?.kind === "sheet") ui.change(popupPopped);
    return;
  }
  const choice = choicesOf(popup, ui.model.now, ui.model.look.utc)[popup.selected];
  if (popup.name === "date") {
    ui.change(popupPopped);
    return jumpTo(ui, popup.query);
  }
  if (!choice) return;
  ui.change(popupPopped);
  if (popup.name === "links") return openAddress(ui, choice.value);
  if (popup.name === "react") {
    const place = ui.browsing();
    const message = place && popup.about !== undefined ? ui.message(place, popup.about) : undefined;
    if (message) toggleReaction(ui, message, choice.value);
    return;
  }
  follow(ui, choice.value, run);
}

function follow(ui: Ui, value: string, run: Runner): void {
  const [kind, rest] = [value.slice(0, value.indexOf(":")), value.slice(value.indexOf(":") + 1)];
  switch (kind) {
    case "channel":
      return ui.open(rest);
    case "user":
      return ui.try(
        ui.core.openDirect([rest], ui.ports.channelType).then((cid) => {
          ui.store.now((s) => s);
          ui.open(cid);
        }),
      );
    case "thread": {
      const [parentId, cid] = rest.split(" ") as [string, string];
      ui.open(cid);
      return openPanel(ui, { kind: "thread", cid, parentId });
    }
    case "action":
      if (isAction(rest)) run(ui, rest);
      return;
    case "line": {
      const [how, line] = [rest.slice(0, rest.indexOf(":")), rest.slice(rest.indexOf(":") + 1)];
      if (how === "run") return run(ui, line);
      // It wants words: the line goes to the box, to be finished there.
      ui.change((s) => focused(s, "composer"));
      const composer = ui.composer();
      // What stood there can be walked back to.
      ui.keepHistory(composer.editor.text);
      ui.compose(withEditor(composer, setText(composer.editor, `${line} `)));
    }
  }
}
