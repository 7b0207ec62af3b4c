/** Opens short forms with their current values. */
import { DEFAULT_URL, type AuthKind } from "../../../config/profiles.ts";
import { channelTitle, listedChannels } from "../../../model/channels.ts";
import { words } from "../../../text/words.ts";
import { splitCid } from "../../../wire/ids.ts";
import { createEditor } from "../../editor/state.ts";
import { openChannel } from "../../navigation/open-channel.ts";
import { halfClosed } from "../../screen/halves.ts";
import { popupChanged, popupPushed, type FieldsPopup, type FormField } from "../../screen/popup.ts";
import type { Ports } from "../../ports/ports.ts";
import { targetChannel, openEntry } from "../../screen/selectors.ts";
import { askToConfirm, attempt, showNotice } from "../../screen/notices.ts";

type FieldValues = Readonly<Record<string, string>>;

/** Fields that are not plain text, by key. */
const INPUTS: Readonly<Record<string, FormField["input"]>> = {
  members: "people",
  private: "switch",
  kind: "choice",
  token: "secret",
  secret: "secret",
};

/** The kinds of credentials, the usual one first. */
export const SIGN_IN_KINDS = ["token", "secret", "command"] as const satisfies AuthKind[];

export const field = (key: string, text = ""): FormField => {
  const input = INPUTS[key];
  return { key, text, ...(input && { input }) };
};

function openForm(
  { store }: Pick<Ports, "store">,
  name: FieldsPopup["name"],
  values: FieldValues,
  targetId?: string,
): void {
  const fields = Object.entries(values).map(([key, text]) => field(key, text));
  // Start in the first empty field.
  const empty = fields.findIndex(({ text }) => text === "");
  const at = Math.max(0, empty);
  const editor = createEditor(fields[at]!.text);
  store.update((s) =>
    popupPushed(s, {
      kind: "fields",
      name,
      fields,
      at,
      editor,
      ...(targetId !== undefined && { targetId }),
    }),
  );
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

export const newChannel = (ports: Ports, name = ""): void =>
  openForm(ports, "newChannel", { name, topic: "", members: "", private: "yes", id: "", type: "" });

export const newConversation = (ports: Ports): void => openForm(ports, "write", { members: "" });

export function editChannel(ports: Ports): void {
  const entry = openEntry(ports.store.get());
  if (!entry) return showNotice(ports, words.lines.noChannel);
  const { name, topic, image } = entry.channel as unknown as Record<string, unknown>;
  openForm(
    ports,
    "editChannel",
    { name: textOf(name), topic: textOf(topic), image: textOf(image) },
    entry.cid,
  );
}

export function inviteForm(ports: Ports): void {
  const entry = openEntry(ports.store.get());
  if (!entry) return showNotice(ports, words.lines.noChannel);
  openForm(ports, "invite", { members: "" }, entry.cid);
}

export function editProfile(ports: Ports): void {
  const { name, status, image } = (ports.store.state.me ?? {}) as Record<string, unknown>;
  openForm(ports, "profile", { name: textOf(name), image: textOf(image), status: textOf(status) });
}

/** Opens the sign-in form, filled from the current profile if that is hosted; `why` is shown as its error. */
export function loginForm(ports: Ports, fault?: string): void {
  const { profiles } = ports;
  const profile = profiles.signInDefaults(profiles.current);
  const kind = profile?.kind ?? "token";
  openForm(ports, "login", {
    name: profile ? profiles.current : "",
    url: profile?.url ?? DEFAULT_URL,
    key: profile?.key ?? "",
    kind,
    [kind]: profile?.secret ?? "",
    user: profile?.user ?? "",
  });
  if (fault !== undefined)
    ports.store.update((s) =>
      popupChanged(s, (form) => (form.kind === "fields" ? { ...form, fault } : form)),
    );
}

/** Leaves the channel after a question, and opens another one; a visit to a channel of others just ends. */
export function leaveChannel(ports: Ports): void {
  const { core, store } = ports;
  const entry = targetChannel(store.get());
  if (!entry) return showNotice(ports, words.lines.noChannel);
  const { cid } = entry;
  const title = channelTitle(entry, core.userId);
  if (!entry.membership) return attempt(ports, leave(ports, cid, title, core.stopWatching(cid)));
  const question = { level: "moderate", question: words.forms.leave(title) } as const;
  const remove = (): Promise<unknown> =>
    core.call("updateChannel", { path: splitCid(cid)!, body: { remove_members: [core.userId ?? ""] } });
  askToConfirm(ports, question, () => attempt(ports, leave(ports, cid, title, remove())));
}

async function leave(ports: Ports, cid: string, title: string, done: Promise<unknown>): Promise<void> {
  const { store } = ports;
  await done;
  showNotice(ports, words.forms.left(title), "success");
  const { other } = store.screen;
  // Of two halves, the other one remains.
  const next = other?.cid ?? listedChannels(store.state).find((one) => one.cid !== cid)?.cid;
  if (store.screen.cid === cid && next !== undefined) openChannel(ports, next);
  store.update((s) => (s.other?.cid === cid ? halfClosed(s) : s));
}
