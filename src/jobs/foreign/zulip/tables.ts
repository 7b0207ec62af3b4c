/** The tables of a Zulip export that are needed before its messages are read. */
import { isObject } from "../../../wire/json-object.ts";
import type { Tally } from "../../tally.ts";
import { jsonParts } from "../base/json-stream.ts";
import { pickFields, type Shaped } from "../base/shapes.ts";
import type { ExportFile } from "../base/zip.ts";
import {
  ZULIP_ATTACHMENT,
  ZULIP_REACTION,
  ZULIP_RECIPIENT,
  ZULIP_STREAM,
  ZULIP_SUBMESSAGE,
  ZULIP_SUBSCRIPTION,
  ZULIP_USER,
  type ZulipStream,
  type ZulipUser,
} from "./shapes.ts";
import { ZulipPoll } from "./votes.ts";

/** Types of recipients: a person, a channel; all others are groups. */
export const [TO_PERSON, TO_STREAM] = [1, 2];

/** Tables that say what a person may or sees, not what was written. */
const NO_CONTENT =
  /^zerver_(realm|client|defaultstream|usertopic|muteduser|alertword|usergroup|groupgroup|namedusergroup|useractivity|userpresence|userstatus|scheduled|onboarding|customprofile|presencesequence|realmauditlog|realmdomain|realmfilter|realmplayground|multiuseremail|botstoragedata|service|savedsnippet|channelfolder|navigationview|huddle|directmessagegroup|imageattachment)/;

export class ZulipTables {
  readonly users = new Map<string, ZulipUser>();
  /** Bots of the server itself, by number: their names. */
  readonly serverBots = new Map<string, string>();
  readonly streams = new Map<string, ZulipStream>();
  readonly recipients = new Map<string, { type: number; id: string }>();
  /** Recipient → people. */
  readonly members = new Map<string, Set<string>>();
  /** Message → name and giver of each reaction. */
  readonly reactions = new Map<string, { name: string; user: string }[]>();
  readonly polls = new Map<string, ZulipPoll>();
  /** Path → what is known of an uploaded file. */
  readonly uploads = new Map<string, Shaped<typeof ZULIP_ATTACHMENT>>();

  async read(file: ExportFile, tally: Tally): Promise<void> {
    for await (const parts of jsonParts(file.read(), {
      enter: (path) => path.startsWith("zerver_") && !path.includes("/"),
    }))
      for (const part of parts) {
        if ("problem" in part) tally.add("entry", `${file.name}: ${part.problem}`);
        if (!("key" in part) || part.path === "") continue;
        if (!isObject(part.value)) tally.add("entry", `${part.path.slice(0, 60)}: not an object`);
        else if (!this.#add(part.path, part.value) && !NO_CONTENT.test(part.path))
          tally.add("notice", `${part.path.slice(0, 60)} has no place in an import`);
      }
    for (const [id, { recipient }] of this.users)
      if (recipient !== undefined && !this.recipients.has(recipient))
        this.recipients.set(recipient, { type: TO_PERSON, id });
  }

  /** False for a table that is not used. */
  #add(table: string, row: object): boolean {
    switch (table) {
      case "zerver_userprofile":
      case "zerver_userprofile_mirrordummy": {
        const user = pickFields(row, ZULIP_USER);
        if (user.id !== undefined)
          this.users.set(user.id, table.endsWith("mirrordummy") ? { ...user, is_active: false } : user);
        return true;
      }
      case "zerver_userprofile_crossrealm": {
        const { id = "", email = "" } = pickFields(row, ZULIP_USER);
        this.serverBots.set(id, email.replace(/@.*$/, ""));
        return true;
      }
      case "zerver_stream": {
        const stream = pickFields(row, ZULIP_STREAM);
        if (stream.id !== undefined) this.streams.set(stream.id, stream);
        return true;
      }
      case "zerver_recipient": {
        const { id = "", type = 0, type_id = "" } = pickFields(row, ZULIP_RECIPIENT);
        this.recipients.set(id, { type, id: type_id });
        return true;
      }
      default:
        return this.#addDetail(table, row);
    }
  }

  #addDetail(table: string, row: object): boolean {
    if (table === "zerver_subscription") {
      const { user_profile: user = "", recipient = "", active } = pickFields(row, ZULIP_SUBSCRIPTION);
      if (active !== false) this.members.set(recipient, (this.members.get(recipient) ?? new Set()).add(user));
    } else if (table === "zerver_reaction") {
      const { message = "", user_profile: user = "", ...emoji } = pickFields(row, ZULIP_REACTION);
      const given = this.reactions.get(message) ?? [];
      given.push({ name: glyphOf(emoji) ?? emoji.emoji_name ?? "", user });
      this.reactions.set(message, given);
    } else if (table === "zerver_submessage") {
      const { message = "", sender = "", content = "" } = pickFields(row, ZULIP_SUBMESSAGE);
      const poll = this.polls.get(message) ?? new ZulipPoll();
      poll.add(sender, content);
      this.polls.set(message, poll);
    } else if (table === "zerver_attachment") {
      const upload = pickFields(row, ZULIP_ATTACHMENT);
      if (upload.path_id !== undefined) this.uploads.set(upload.path_id, upload);
    } else return false;
    return true;
  }
}

/** Zulip has names of its own for emoji; the code says which it is: `1f1e9-1f1ea`. */
function glyphOf({
  emoji_code: code = "",
  reaction_type: type,
}: Shaped<typeof ZULIP_REACTION>): string | undefined {
  if (type !== "unicode_emoji" || !/^[0-9a-f]{2,5}(-[0-9a-f]{2,5}){0,9}$/.test(code)) return undefined;
  return String.fromCodePoint(...code.split("-").map((hex) => Number.parseInt(hex, 16)));
}
