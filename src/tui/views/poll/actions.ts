/** Actions of the poll form; the content of the form is in core's poll composer. */
import type { PollComposer } from "../../../core/composer/poll.ts";
import { dayLabel } from "../../../text/times.ts";
import { words } from "../../../text/words.ts";
import { insert } from "../../editor/edits.ts";
import { fieldActions } from "../../editor/line-actions.ts";
import { showPosted } from "../../navigation/show-posted.ts";
import { createEditor, cleanLineInput, type EditorState } from "../../editor/state.ts";
import { popupChanged, popupPopped, popupPushed, topPopup, type PollPopup } from "../../screen/popup.ts";
import type { Action, Ports } from "../../ports/ports.ts";
import { attempt, showNotice } from "../../screen/notices.ts";
import { fieldAt, pollFormFields, optionIdOf } from "./fields.ts";
import { fieldKeyAt } from "./rows.ts";

type FormPorts = Pick<Ports, "core" | "store">;

interface Form {
  popup: PollPopup;
  poll: PollComposer;
}

function formIn({ core, store }: FormPorts): Form | undefined {
  const popup = topPopup(store.screen);
  return popup?.kind === "poll" ? { popup, poll: core.composer(popup.place).poll } : undefined;
}

/** Opens the form for the current place, with what was filled in before; `question` replaces the question. */
export function openPollForm(ports: Ports, question = ""): void {
  const { place } = ports.boxes;
  if (!place) return showNotice(ports, words.poll.form.noChannel);
  const { poll } = ports.core.composer(place);
  if (question !== "") poll.edit({ type: "name", value: question });
  const editor = createEditor(poll.state().form.name);
  ports.store.update((s) => popupPushed(s, { kind: "poll", place, field: "question", editor }));
}

const updatePopup = ({ store }: FormPorts, next: Partial<PollPopup>): void =>
  store.update((s) => popupChanged(s, (popup) => (popup.kind === "poll" ? { ...popup, ...next } : popup)));

/** Focuses a field, with the cursor at the end of its text. */
function focusField(ports: FormPorts, { poll }: Form, key: string): void {
  const field = fieldAt(poll.state().form, key);
  updatePopup(ports, { field: field.key, editor: createEditor(field.kind === "text" ? field.text : "") });
}

const withForm =
  (act: (ports: Ports, form: Form) => void): Action =>
  (ports) => {
    const form = formIn(ports);
    if (form) act(ports, form);
  };

/** Moves between the fields, wrapping around. */
const step = (by: 1 | -1): Action =>
  withForm((ports, form) => {
    const keys = pollFormFields(form.poll.state().form).map(({ key }) => key);
    const at = Math.max(0, keys.indexOf(form.popup.field));
    focusField(ports, form, keys[(at + by + keys.length) % keys.length]!);
  });

/** Puts the edited text into the focused field. */
function setText(ports: FormPorts, { popup, poll }: Form, editor: EditorState): void {
  const field = fieldAt(poll.state().form, popup.field);
  if (field.kind !== "text") return;
  if (editor.text !== field.text) poll.edit(field.change(editor.text));
  updatePopup(ports, { editor });
}

/** Toggles the focused switch; false if another kind of field is focused. */
function toggleSwitch(ports: FormPorts, { popup, poll }: Form): boolean {
  const field = fieldAt(poll.state().form, popup.field);
  if (field.kind !== "switch") return false;
  poll.edit(field.change(!field.on));
  updatePopup(ports, {});
  return true;
}

/** Typed text goes into a text field; a blank toggles a switch or presses a button. */
export function typeIntoForm(ports: FormPorts, text: string): void {
  const form = formIn(ports);
  if (!form) return;
  const field = fieldAt(form.poll.state().form, form.popup.field);
  if (field.kind === "text") setText(ports, form, insert(form.popup.editor, cleanLineInput(text)));
  else if (text === " ") pressField(ports, form);
}

/** Number of days the button "dates" fills in. */
const DATE_COUNT = 5;
const DAY = 86_400_000;

/** Adds options: each text goes into the blank option at the end, after which the form adds a new blank one. */
function addOptions(ports: FormPorts, form: Form, texts: readonly string[]): void {
  for (const text of texts) {
    const last = form.poll.state().form.options.at(-1);
    if (last && last.text.trim() === "") form.poll.edit({ type: "option", id: last.id, text });
  }
  updatePopup(ports, {});
}

function nextDays({ store }: FormPorts): string[] {
  const { now, look } = store.get();
  return Array.from({ length: DATE_COUNT }, (_, i) => dayLabel(now + (i + 1) * DAY, now, look));
}

const create = withForm((ports, { poll, popup: { place } }) =>
  attempt(
    ports,
    poll.create().then((id) => {
      // If it was refused, the errors are shown at the fields and in a notice.
      ports.store.update((s) =>
        id !== undefined && topPopup(s)?.kind === "poll"
          ? popupPopped(s)
          : popupChanged(s, (p) => ({ ...p })),
      );
      if (id === undefined) return;
      showPosted(ports, place);
      ports.boxes.sync(place, true);
    }),
  ),
);

/** Presses the focused switch or button. */
function pressField(ports: FormPorts, form: Form): void {
  switch (form.popup.field) {
    case "yesNo":
      return addOptions(ports, form, words.poll.form.answers);
    case "dates":
      return addOptions(ports, form, nextDays(ports));
    case "create":
      return create(ports as Ports);
    default:
      return void toggleSwitch(ports, form);
  }
}

/** Enter: moves on from a text field, presses a switch or button. */
const enter = withForm((ports, form) => {
  const field = fieldAt(form.poll.state().form, form.popup.field);
  if (field.kind === "text") step(1)(ports);
  else pressField(ports, form);
});

/** A click focuses a field, and presses it if it is a switch or button. */
export function clickForm(ports: FormPorts, at: { x: number; y: number }): void {
  const form = formIn(ports);
  const key = form && fieldKeyAt(form.poll.state().form, { ...ports.store.screen, ...form.popup }, at);
  if (!form || key === undefined) return;
  focusField(ports, form, key);
  const focusedForm = formIn(ports);
  if (focusedForm) pressField(ports, focusedForm);
}

const moveOption = (by: 1 | -1): Action =>
  withForm((ports, { popup, poll }) => {
    const id = optionIdOf(popup.field);
    if (id === undefined) return;
    poll.edit({ type: "moveOption", id, by });
    updatePopup(ports, {});
  });

const removeOption = withForm((ports, form) => {
  const id = optionIdOf(form.popup.field);
  if (id === undefined) return;
  const keys = pollFormFields(form.poll.state().form).map(({ key }) => key);
  const before = keys[keys.indexOf(form.popup.field) - 1]!;
  form.poll.edit({ type: "removeOption", id });
  focusField(ports, form, before);
});

export const pollFormActions = {
  newPoll: openPollForm,
  formNext: step(1),
  formComplete: step(1),
  formPrevious: step(-1),
  formEnter: enter,
  formCreate: create,
  formOptionUp: moveOption(-1),
  formOptionDown: moveOption(1),
  formOptionRemove: removeOption,
  ...fieldActions(
    (ports: Ports, change) => withForm((u, form) => setText(u, form, change(form.popup.editor)))(ports),
    (ports) => {
      const form = formIn(ports);
      return form !== undefined && toggleSwitch(ports, form);
    },
  ),
} satisfies Record<string, Action>;
