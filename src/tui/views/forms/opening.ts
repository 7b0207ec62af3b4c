/** Opens the short forms, filled with what is there. */
import { words } from "../../../text/words.ts";
import { createEditor } from "../../editor/state.ts";
import { popupPushed } from "../../screen/popup.ts";
import type { FieldsPopup } from "../../screen/popup.ts";
import type { Ports } from "../../screen/ports.ts";
import { openEntry } from "../../screen/selectors.ts";
import { tell } from "../../screen/telling.ts";

type Fields = Readonly<Record<string, string>>;

function open(
  { store }: Pick<Ports, "store">,
  name: FieldsPopup["name"],
  filled: Fields,
  about?: string,
): void {
  const fields = Object.entries(filled).map(([key, text]) => ({ key, text }));
  // The first one that is empty is where something is missing.
  const at = Math.max(
    0,
    fields.findIndex(({ text }) => text === ""),
  );
  const editor = createEditor(fields[at]!.text);
  store.now((s) =>
    popupPushed(s, { kind: "fields", name, fields, at, editor, ...(about !== undefined && { about }) }),
  );
}

const said = (value: unknown): string => (typeof value === "string" ? value : "");

export function newChannel(ports: Ports): void {
  open(ports, "newChannel", { name: "", topic: "", members: "", id: "", type: ports.settings.channelType });
}

export function editChannel(ports: Ports): void {
  const entry = openEntry(ports.store.get());
  if (!entry) return tell(ports, words.lines.noChannel);
  const { name, topic, image } = entry.channel as unknown as Record<string, unknown>;
  open(ports, "editChannel", { name: said(name), topic: said(topic), image: said(image) }, entry.cid);
}

export function inviteForm(ports: Ports): void {
  const entry = openEntry(ports.store.get());
  if (!entry) return tell(ports, words.lines.noChannel);
  open(ports, "invite", { members: "" }, entry.cid);
}

export function ownProfile(ports: Ports): void {
  const { name, image } = (ports.store.state.me ?? {}) as Record<string, unknown>;
  open(ports, "profile", { name: said(name), image: said(image) });
}
