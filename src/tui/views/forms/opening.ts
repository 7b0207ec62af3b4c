/** Opens short forms with their present values. */
import { DEFAULT_URL, type AuthKind } from "../../../config/profiles.ts";
import { channelTitle, listed } from "../../../model/channels.ts";
import { words } from "../../../text/words.ts";
import { splitCid } from "../../../wire/ids.ts";
import { createEditor } from "../../editor/state.ts";
import { openChannel } from "../../navigation/opening.ts";
import { popupChanged, popupPushed, type FieldsPopup, type FormField } from "../../screen/popup.ts";
import type { Ports } from "../../ports/ports.ts";
import { targetChannel, openEntry } from "../../screen/selectors.ts";
import { askToConfirm, attempt, showNotice } from "../../screen/notices.ts";

type Fields = Readonly<Record<string, string>>;

/** Fields that are no plain words, by their key. */
const TAKES: Readonly<Record<string, FormField["takes"]>> = {
  members: "people",
  private: "switch",
  kind: "choice",
  token: "secret",
  secret: "secret",
};

/** The ways to sign in, the usual one first. */
export const SIGN_IN_KINDS = ["token", "secret", "command"] as const satisfies AuthKind[];

/** An empty field, or one with a text in it. */
export const field = (key: string, text = ""): FormField => {
  const takes = TAKES[key];
  return { key, text, ...(takes && { takes }) };
};

function open(
  { store }: Pick<Ports, "store">,
  name: FieldsPopup["name"],
  filled: Fields,
  about?: string,
): void {
  const fields = Object.entries(filled).map(([key, text]) => field(key, text));
  // The first one that is empty is where something is missing.
  const at = Math.max(
    0,
    fields.findIndex(({ text }) => text === ""),
  );
  const editor = createEditor(fields[at]!.text);
  store.update((s) =>
    popupPushed(s, { kind: "fields", name, fields, at, editor, ...(about !== undefined && { about }) }),
  );
}

const said = (value: unknown): string => (typeof value === "string" ? value : "");

export const newChannel = (ports: Ports, name = ""): void =>
  open(ports, "newChannel", { name, topic: "", members: "", private: "yes", id: "", type: "" });

export const writeTo = (ports: Ports): void => open(ports, "write", { members: "" });

export function editChannel(ports: Ports): void {
  const entry = openEntry(ports.store.get());
  if (!entry) return showNotice(ports, words.lines.noChannel);
  const { name, topic, image } = entry.channel as unknown as Record<string, unknown>;
  open(ports, "editChannel", { name: said(name), topic: said(topic), image: said(image) }, entry.cid);
}

export function inviteForm(ports: Ports): void {
  const entry = openEntry(ports.store.get());
  if (!entry) return showNotice(ports, words.lines.noChannel);
  open(ports, "invite", { members: "" }, entry.cid);
}

export function ownProfile(ports: Ports): void {
  const { name, status, image } = (ports.store.state.me ?? {}) as Record<string, unknown>;
  open(ports, "profile", { name: said(name), image: said(image), status: said(status) });
}

/** Signs in to a provider: to the one that is open again, else to another; `why` it is asked for. */
export function loginForm(ports: Ports, why?: string): void {
  const { profiles } = ports;
  const known = profiles.hosted(profiles.current);
  const kind = known?.kind ?? "token";
  open(ports, "login", {
    name: known ? profiles.current : "",
    url: known?.url ?? DEFAULT_URL,
    key: known?.key ?? "",
    kind,
    [kind]: known?.proof ?? "",
    user: known?.user ?? "",
  });
  if (why !== undefined)
    ports.store.update((s) =>
      popupChanged(s, (form) => (form.kind === "fields" ? { ...form, fault: why } : form)),
    );
}

/** Asks, and opens another channel when this one is left. */
export function leaveChannel(ports: Ports): void {
  const entry = targetChannel(ports.store.get());
  if (!entry) return showNotice(ports, words.lines.noChannel);
  const title = channelTitle(entry, ports.core.userId);
  const question = { level: "moderate", question: words.forms.leave(title) } as const;
  askToConfirm(ports, question, () => attempt(ports, leave(ports, entry.cid, title)));
}

async function leave(ports: Ports, cid: string, title: string): Promise<void> {
  const { core, store } = ports;
  const path = splitCid(cid)!;
  await core.call("updateChannel", { path, body: { remove_members: [core.userId ?? ""] } });
  showNotice(ports, words.forms.left(title), "success");
  const next = listed(store.state).find((other) => other.cid !== cid);
  if (store.screen.cid === cid && next) openChannel(ports, next.cid);
}
