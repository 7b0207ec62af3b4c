/** Actions of short forms, and what their button does; errors are shown in the form. */
import type { RawArgs } from "../../../commands/base/define-command.ts";
import { readChannel } from "../../../commands/base/args.ts";
import { commandLine, loadLine } from "../../../commands/line.ts";
import { runInChat } from "../../../commands/run-in-chat.ts";
import { signInFault, type SignInFields } from "../../../model/sign-in-fields.ts";
import { matchingUsers } from "../../../model/mentions.ts";
import { fold } from "../../../text/fold.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { trimEndCharacters } from "../../../text/without-tail.ts";
import { words } from "../../../text/words.ts";
import type { User } from "../../../wire/entities/user.ts";
import { insert } from "../../editor/edits.ts";
import { fieldActions } from "../../editor/line-actions.ts";
import { createEditor, cleanLineInput, type EditorState } from "../../editor/state.ts";
import { CHANNEL_ID_LENGTH } from "../../../wire/constants.ts";
import { openChannel, openDirect } from "../../navigation/open-channel.ts";
import { popupChanged, popupPopped, topPopup, type FieldsPopup, type FormField } from "../../screen/popup.ts";
import type { Action, Ports } from "../../ports/ports.ts";
import { enterProfile } from "../../ports/quit.ts";
import { resolveUserId } from "../../ports/resolve-user.ts";
import { errorWords, showNotice } from "../../screen/notices.ts";
import { field, SIGN_IN_KINDS } from "./open-form.ts";
import { fieldIndexAt } from "./rows.ts";

const formOf = ({ store }: Pick<Ports, "store">): FieldsPopup | undefined => {
  const popup = topPopup(store.screen);
  return popup?.kind === "fields" ? popup : undefined;
};

const updateForm = ({ store }: Pick<Ports, "store">, next: Partial<FieldsPopup>): void =>
  store.update((s) => popupChanged(s, (popup) => (popup.kind === "fields" ? { ...popup, ...next } : popup)));

const textsOf = ({ fields }: FieldsPopup): FormValues =>
  Object.fromEntries(fields.map(({ key, text }) => [key, text.trim()]));

/** What is wrong after a field is left: each filled field of a sign-in is judged at once. */
function leftFault(form: FieldsPopup): string | undefined {
  const left = focusedField(form);
  return form.name === "login" && left && left.text.trim() !== ""
    ? signInFault(left.key, textsOf(form) as unknown as SignInFields)
    : form.fault;
}

function focusField(ports: Ports, form: FieldsPopup, at: number): void {
  const stops = form.fields.length + 1;
  const next = (at + stops) % stops;
  const editor = createEditor(form.fields[next]?.text ?? "");
  updateForm(ports, { at: next, editor, people: [], fault: leftFault(form) });
}

const focusedField = ({ fields, at }: FieldsPopup): FormField | undefined => fields[at];

const withText = ({ fields, at }: FieldsPopup, text: string): readonly FormField[] =>
  fields.map((field, i) => (i === at ? { ...field, text } : field));

/** Toggles a switch, or changes a choice; false for other fields. */
function toggleOrCycle(ports: Ports, by: 1 | -1 = 1): boolean {
  const form = formOf(ports);
  const focused = form && focusedField(form);
  if (!form || !focused) return false;
  if (focused.input === "switch")
    updateForm(ports, { fields: withText(form, focused.text === "" ? "yes" : "") });
  else if (focused.input === "choice") {
    const index = SIGN_IN_KINDS.findIndex((kind) => kind === focused.text);
    const kind = SIGN_IN_KINDS.at((index + by) % SIGN_IN_KINDS.length)!;
    // The credential's field starts empty: a secret must not be shown as another kind.
    const fields = withText(form, kind).map((each) => (each.key === focused.text ? field(kind) : each));
    updateForm(ports, { fields });
  } else return false;
  return true;
}

const MAX_SUGGESTIONS = 4;
/** The word before the cursor, after the last blank, comma or `@`. */
const nameBefore = (text: string): string => text.split(/[\s,@]/).at(-1)!;

/** Known users that match the word before the cursor. */
function peopleFor({ core, store }: Ports, { text, cursor }: EditorState): readonly User[] {
  const word = nameBefore(text.slice(0, cursor));
  const matches = word === "" ? [] : matchingUsers(store.state.users.values(), word, core.userId);
  return matches.length === 1 && matches[0]!.id === word ? [] : matches.slice(0, MAX_SUGGESTIONS);
}

/** Inserts the first suggested person; false when there is none. */
function acceptSuggestion(ports: Ports): boolean {
  const form = formOf(ports);
  const [first] = form?.people ?? [];
  if (!form || !first) return false;
  const { text, cursor } = form.editor;
  const typed = text.slice(0, cursor);
  const before = trimEndCharacters(typed.slice(0, typed.length - nameBefore(typed).length), "@");
  const editor = insert(createEditor(""), `${before}@${first.id} ${text.slice(cursor).trimStart()}`);
  updateForm(ports, { editor, fields: withText(form, editor.text), people: [] });
  return true;
}

function editField(ports: Ports, change: (editor: EditorState) => EditorState): void {
  const form = formOf(ports);
  const focused = form && focusedField(form);
  if (!focused || focused.input === "switch" || focused.input === "choice") return;
  const editor = change(form.editor);
  const people = focused.input === "people" ? peopleFor(ports, editor) : [];
  updateForm(ports, { editor, fields: withText(form, editor.text), people });
}

/** Types into the focused field; a blank toggles a switch. */
export function typeIntoFields(ports: Ports, text: string): void {
  if (text === " " && toggleOrCycle(ports)) return;
  editField(ports, (editor) => insert(editor, cleanLineInput(text)));
}

/** User ids from `ana, @bo cy`. */
const userIds = (ports: Ports, text: string): string[] =>
  text
    .split(/[\s,]+/)
    .filter((word) => word !== "")
    .map((word) => resolveUserId(ports, word));

/** Makes an id from a name: `Tea & Cakes` becomes `tea-cakes`. A name without letters that ids may have gets a random one. */
function idFrom(name: string, random: () => string): string {
  const words = fold(name)
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/[^\w-]/g, "")
    .slice(0, CHANNEL_ID_LENGTH)
    .split("-");
  return words.filter(Boolean).join("-") || (name.trim() && random());
}

type FormValues = Readonly<Record<string, string>>;

/** Runs a command with these argument values. */
async function runCommand(ports: Ports, path: string, args: RawArgs): Promise<void> {
  const { core, settings, clock } = ports;
  const { channelType } = settings;
  const line = await loadLine(commandLine(path, args, { channelType, now: clock.now() }));
  if (line.kind === "fault") throw new Error(line.message);
  await runInChat(line, {
    core,
    currentChannel: ports.store.screen.cid,
    channelType,
    now: () => clock.now(),
    random: () => ports.random(),
    limit: 1,
  });
}

/** The channel type that everybody may read and join. */
const OPEN_TYPE = "livestream";

async function createChannel(ports: Ports, values: FormValues): Promise<void> {
  const { name, topic, members, id } = values;
  const channelId = id || idFrom(name!, ports.random);
  if (channelId === "") throw new Error(words.forms.noName);
  const { channelType } = ports.settings;
  const type = values.type || (values.private ? channelType : OPEN_TYPE);
  const cid = readChannel(`${type}:${channelId}`, channelType);
  await runCommand(ports, "channel create", {
    channel: cid,
    ...(name && { name }),
    member: userIds(ports, members!),
    custom: topic ? [`topic=${JSON.stringify(topic)}`] : [],
    existOk: false,
  });
  openChannel(ports, cid);
}

/** Fields to set, and empty ones to unset. */
const changesFrom = (values: FormValues): { set: FormValues; unset: string[] } => ({
  set: Object.fromEntries(Object.entries(values).filter(([, text]) => text !== "")),
  unset: Object.keys(values).filter((key) => values[key] === ""),
});

async function changeChannel({ core }: Ports, values: FormValues, cid: string): Promise<void> {
  const [type = "", id = ""] = cid.split(/:(.*)/s);
  await core.call("updateChannelPartial", { path: { type, id }, body: changesFrom(values) });
}

async function changeProfile({ core }: Ports, values: FormValues): Promise<void> {
  const users = [{ id: core.userId ?? "", ...changesFrom(values) }];
  await core.call("updateUsersPartial", { body: { users } });
}

async function addPeople(ports: Ports, { members }: FormValues, cid: string): Promise<void> {
  const users = userIds(ports, members!);
  if (users.length === 0) throw new Error(words.forms.noPeople);
  await runCommand(ports, "member add", { users, channel: cid });
}

async function openConversation(ports: Ports, { members }: FormValues): Promise<void> {
  const ids = userIds(ports, members!);
  if (ids.length === 0) throw new Error(words.forms.noPeople);
  await openDirect(ports, ids);
}

/** Runs after the form has closed. */
type AfterClose = () => void;

async function signIn(ports: Ports, values: FormValues): Promise<AfterClose> {
  const { name = "", url = "", key = "", user = "" } = values;
  const kind = SIGN_IN_KINDS.find((each) => each === values.kind)!;
  const secret = values[kind] ?? "";
  if (name === "" || key === "" || secret === "") throw new Error(words.forms.noCredentials[kind]);
  const fault = Object.keys(values)
    .map((field) => signInFault(field, values as unknown as SignInFields))
    .find((each) => each !== undefined);
  if (fault !== undefined) throw new Error(fault);
  // Only a token contains its user; a secret may act as any user.
  if (kind !== "token" && user === "") throw new Error(words.forms.noUserOf[kind]);
  const message = await ports.profiles.signIn({ name, url, key, kind, secret, user });
  return () => enterProfile(ports, name, message);
}

function submitForm(ports: Ports): void {
  const form = formOf(ports);
  if (!form || form.busy) return;
  const values = textsOf(form);
  const targetId = form.targetId ?? "";
  const work: () => Promise<AfterClose | void> = {
    newChannel: () => createChannel(ports, values),
    editChannel: () => changeChannel(ports, values, targetId),
    write: () => openConversation(ports, values),
    invite: () => addPeople(ports, values, targetId),
    profile: () => changeProfile(ports, values),
    login: () => signIn(ports, values),
  }[form.name];
  updateForm(ports, { busy: true, fault: undefined });
  work().then(
    (after) => {
      ports.store.update((s) => (topPopup(s)?.kind === "fields" ? popupPopped(s) : s));
      showNotice(ports, words.forms.done[form.name], "success");
      after?.();
    },
    (error: unknown) => updateForm(ports, { busy: false, fault: faultOf(error) }),
  );
}

function faultOf(error: unknown): string {
  const { hint } = error as { hint?: unknown };
  const text = errorWords(error);
  // Hints that name a flag are for the command line.
  const isUsable = typeof hint === "string" && !hint.includes("--");
  return cleanLine(isUsable ? `${text} ${hint}` : text);
}

function enter(ports: Ports): void {
  const form = formOf(ports);
  if (!form) return;
  if (form.at === form.fields.length) submitForm(ports);
  else if (!toggleOrCycle(ports)) focusField(ports, form, form.at + 1);
}

/** Tab: inserts the first suggested person, else goes to the next field. */
function completeOrNext(ports: Ports): void {
  if (!acceptSuggestion(ports)) step(1)(ports);
}

/** A click focuses a field, toggles a switch, or presses the button. */
export function clickFields(ports: Ports, at: { x: number; y: number }): void {
  const form = formOf(ports);
  const index = form && fieldIndexAt(form, ports.store.screen, at);
  if (!form || index === undefined) return;
  focusField(ports, form, index);
  if (index === form.fields.length) submitForm(ports);
  else toggleOrCycle(ports);
}

const step =
  (by: 1 | -1): Action =>
  (ports) => {
    const form = formOf(ports);
    if (form) focusField(ports, form, form.at + by);
  };

const FIELD_EDITS = {
  formNext: step(1),
  formComplete: completeOrNext,
  formPrevious: step(-1),
  formEnter: enter,
  formCreate: submitForm,
  ...fieldActions(editField, toggleOrCycle),
} satisfies Record<string, Action>;

/** Sends the keys of a form to this one when it is on top, else to that of a poll. */
export function inTopForm<T extends Record<keyof typeof FIELD_EDITS, Action>>(poll: T): T {
  const names = Object.keys(FIELD_EDITS) as (keyof typeof FIELD_EDITS)[];
  const either = names.map((name): [string, Action] => [
    name,
    (ports) => (formOf(ports) ? FIELD_EDITS[name] : poll[name])(ports),
  ]);
  return { ...poll, ...Object.fromEntries(either) };
}
