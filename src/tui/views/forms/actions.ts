/** Actions of short forms, and what their button does; refusals are shown in the form. */
import { readChannel, type Raw } from "../../../commands/base/args.ts";
import { lineOf } from "../../../commands/line.ts";
import { runInChat } from "../../../commands/run-in-chat.ts";
import { matchingUsers } from "../../../model/mentions.ts";
import { fold } from "../../../model/matching.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { withoutTail } from "../../../text/without-tail.ts";
import { words } from "../../../text/words.ts";
import type { User } from "../../../wire/entities/user.ts";
import { insert } from "../../editor/edits.ts";
import { fieldActions } from "../../editor/line-actions.ts";
import { createEditor, cleanLineInput, type EditorState } from "../../editor/state.ts";
import { openChannel, openDirect } from "../../navigation/opening.ts";
import { popupChanged, popupPopped, topPopup, type FieldsPopup, type FormField } from "../../screen/popup.ts";
import type { Action, Ports } from "../../ports/ports.ts";
import { goToProfile } from "../../ports/leaving.ts";
import { idOf } from "../../ports/person.ts";
import { errorWords } from "../../screen/error-words.ts";
import { showNotice } from "../../screen/notices.ts";
import { field, SIGN_IN_KINDS } from "./opening.ts";
import { fieldUnder } from "./rows.ts";

const formOf = ({ store }: Pick<Ports, "store">): FieldsPopup | undefined => {
  const popup = topPopup(store.screen);
  return popup?.kind === "fields" ? popup : undefined;
};

const put = ({ store }: Pick<Ports, "store">, next: Partial<FieldsPopup>): void =>
  store.update((s) => popupChanged(s, (popup) => (popup.kind === "fields" ? { ...popup, ...next } : popup)));

function goTo(ports: Ports, form: FieldsPopup, at: number): void {
  const places = form.fields.length + 1;
  const next = (at + places) % places;
  put(ports, { at: next, editor: createEditor(form.fields[next]?.text ?? ""), people: [] });
}

const fieldOf = ({ fields, at }: FieldsPopup): FormField | undefined => fields[at];

const withText = ({ fields, at }: FieldsPopup, text: string): readonly FormField[] =>
  fields.map((field, i) => (i === at ? { ...field, text } : field));

/** A switch turns, a choice goes on to the next one or back; true where the cursor is on one. */
function turned(ports: Ports, by: 1 | -1 = 1): boolean {
  const form = formOf(ports);
  const at = form && fieldOf(form);
  if (!form || !at) return false;
  if (at.takes === "switch") put(ports, { fields: withText(form, at.text === "" ? "yes" : "") });
  else if (at.takes === "choice") {
    const now = SIGN_IN_KINDS.findIndex((kind) => kind === at.text);
    const chosen = SIGN_IN_KINDS.at((now + by) % SIGN_IN_KINDS.length)!;
    // What is a secret in one of them must not be shown as another.
    const fields = withText(form, chosen).map((each) => (each.key === at.text ? field(chosen) : each));
    put(ports, { fields });
  } else return false;
  return true;
}

/** How many people are offered at once. */
const OFFERED = 4;
/** The name before the cursor, behind the last blank, comma or `@`. */
const nameBefore = (text: string): string => text.split(/[\s,@]/).at(-1)!;

/** Who is known here and could be meant by the word before the cursor. */
function peopleFor({ core, store }: Ports, { text, cursor }: EditorState): readonly User[] {
  const word = nameBefore(text.slice(0, cursor));
  const named = word === "" ? [] : matchingUsers(store.state.users.values(), word, core.userId);
  return named.length === 1 && named[0]!.id === word ? [] : named.slice(0, OFFERED);
}

/** The first who is offered is taken; true where somebody was. */
function completed(ports: Ports): boolean {
  const form = formOf(ports);
  const [first] = form?.people ?? [];
  if (!form || !first) return false;
  const { text, cursor } = form.editor;
  const typed = text.slice(0, cursor);
  const before = withoutTail(typed.slice(0, typed.length - nameBefore(typed).length), "@");
  const editor = insert(createEditor(""), `${before}@${first.id} ${text.slice(cursor).trimStart()}`);
  put(ports, { editor, fields: withText(form, editor.text), people: [] });
  return true;
}

function write(ports: Ports, change: (editor: EditorState) => EditorState): void {
  const form = formOf(ports);
  const at = form && fieldOf(form);
  if (!at || at.takes === "switch" || at.takes === "choice") return;
  const editor = change(form.editor);
  const people = at.takes === "people" ? peopleFor(ports, editor) : [];
  put(ports, { editor, fields: withText(form, editor.text), people });
}

/** Letters go into a text; a blank turns a switch. */
export function typeIntoFields(ports: Ports, text: string): void {
  if (text === " " && turned(ports)) return;
  write(ports, (editor) => insert(editor, cleanLineInput(text)));
}

/** `ana, @bo cy` */
const people = (ports: Ports, text: string): string[] =>
  text
    .split(/[\s,]+/)
    .filter((word) => word !== "")
    .map((word) => idOf(ports, word));

/** An id out of the name: `Tea & Cakes` is `tea-cakes`. */
const idFrom = (name: string): string =>
  fold(name)
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/[^\w-]/g, "")
    .split("-")
    .filter(Boolean)
    .join("-");

type Given = Readonly<Record<string, string>>;

/** Runs a command of ours with values that need no words. */
async function run(ports: Ports, path: string, given: Raw): Promise<void> {
  const { core, settings, clock } = ports;
  const { channelType } = settings;
  await runInChat(lineOf(path, given, { channelType, now: clock.now() }), {
    core,
    here: ports.store.screen.cid,
    channelType,
    now: () => clock.now(),
    random: () => ports.random(),
    limit: 1,
  });
}

/** The type whose channels everybody may read and join. */
const OPEN_TYPE = "livestream";

async function makeChannel(ports: Ports, given: Given): Promise<void> {
  const { name, topic, members, id } = given;
  const made = id || idFrom(name!);
  if (made === "") throw new Error(words.forms.noName);
  const { channelType } = ports.settings;
  const type = given.type || (given.private ? channelType : OPEN_TYPE);
  const cid = readChannel(`${type}:${made}`, channelType);
  await run(ports, "channel create", {
    channel: cid,
    ...(name && { name }),
    member: people(ports, members!),
    custom: topic ? [`topic=${JSON.stringify(topic)}`] : [],
    existOk: false,
  });
  openChannel(ports, cid);
}

/** Texts that are set, and those that were emptied. */
const changed = (given: Given): { set: Given; unset: string[] } => ({
  set: Object.fromEntries(Object.entries(given).filter(([, text]) => text !== "")),
  unset: Object.keys(given).filter((key) => given[key] === ""),
});

async function changeChannel({ core }: Ports, given: Given, cid: string): Promise<void> {
  const [type = "", id = ""] = cid.split(/:(.*)/s);
  await core.call("updateChannelPartial", { path: { type, id }, body: changed(given) });
}

async function changeProfile({ core }: Ports, given: Given): Promise<void> {
  await core.call("updateUsersPartial", { body: { users: [{ id: core.userId ?? "", ...changed(given) }] } });
}

async function addPeople(ports: Ports, { members }: Given, cid: string): Promise<void> {
  const users = people(ports, members!);
  if (users.length === 0) throw new Error(words.forms.noPeople);
  await run(ports, "member add", { users, channel: cid });
}

async function openWith(ports: Ports, { members }: Given): Promise<void> {
  const ids = people(ports, members!);
  if (ids.length === 0) throw new Error(words.forms.noPeople);
  await openDirect(ports, ids);
}

/** What comes after the form is gone. */
type After = () => void;

async function signIn(ports: Ports, given: Given): Promise<After> {
  const { name = "", url = "", key = "", user = "" } = given;
  const kind = SIGN_IN_KINDS.find((each) => each === given.kind)!;
  const proof = given[kind] ?? "";
  if (name === "" || key === "" || proof === "") throw new Error(words.forms.noCredentials[kind]);
  // Only a token names its user; a secret may speak for anybody.
  if (kind !== "token" && user === "") throw new Error(words.forms.noUserOf[kind]);
  const said = await ports.profiles.signIn({ name, url, key, kind, proof, user });
  return () => goToProfile(ports, name, said);
}

function create(ports: Ports): void {
  const form = formOf(ports);
  if (!form || form.busy) return;
  const given: Given = Object.fromEntries(form.fields.map(({ key, text }) => [key, text.trim()]));
  const about = form.about ?? "";
  const work: () => Promise<After | void> = {
    newChannel: () => makeChannel(ports, given),
    editChannel: () => changeChannel(ports, given, about),
    write: () => openWith(ports, given),
    invite: () => addPeople(ports, given, about),
    profile: () => changeProfile(ports, given),
    login: () => signIn(ports, given),
  }[form.name];
  put(ports, { busy: true, fault: undefined });
  work().then(
    (after) => {
      ports.store.update((s) => (topPopup(s)?.kind === "fields" ? popupPopped(s) : s));
      showNotice(ports, words.forms.done[form.name], "success");
      after?.();
    },
    (error: unknown) => put(ports, { busy: false, fault: faultOf(error) }),
  );
}

function faultOf(error: unknown): string {
  const { hint } = error as { hint?: unknown };
  const text = errorWords(error);
  // A hint that names a flag is for the shell: a form has none.
  const helps = typeof hint === "string" && !hint.includes("--");
  return cleanLine(helps ? `${text} ${hint}` : text);
}

function enter(ports: Ports): void {
  const form = formOf(ports);
  if (!form) return;
  if (form.at === form.fields.length) create(ports);
  else if (!turned(ports)) goTo(ports, form, form.at + 1);
}

/** Tab takes who is offered first, else it goes on. */
function next(ports: Ports): void {
  if (!completed(ports)) step(1)(ports);
}

/** A click puts the cursor into a text, and presses the button. */
export function clickFields(ports: Ports, at: { x: number; y: number }): void {
  const form = formOf(ports);
  const under = form && fieldUnder(form, ports.store.screen, at);
  if (!form || under === undefined) return;
  goTo(ports, form, under);
  if (under === form.fields.length) create(ports);
  else turned(ports);
}

const step =
  (by: 1 | -1): Action =>
  (ports) => {
    const form = formOf(ports);
    if (form) goTo(ports, form, form.at + by);
  };

const FIELD_EDITS = {
  formNext: step(1),
  formComplete: next,
  formPrevious: step(-1),
  formEnter: enter,
  formCreate: create,
  ...fieldActions(write, turned),
} satisfies Record<string, Action>;

/** The keys of a form go to the one on top. */
export function inEitherForm<T extends Record<keyof typeof FIELD_EDITS, Action>>(poll: T): T {
  const names = Object.keys(FIELD_EDITS) as (keyof typeof FIELD_EDITS)[];
  const either = names.map((name): [string, Action] => [
    name,
    (ports) => (formOf(ports) ? FIELD_EDITS[name] : poll[name])(ports),
  ]);
  return { ...poll, ...Object.fromEntries(either) };
}
