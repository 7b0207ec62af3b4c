/** Channels and people in answers, noted on disk so that a shell can complete them later without the network. */
import { noteNames } from "../../config/names.ts";
import type { Names } from "../../config/names.ts";
import type { Shell } from "./shell.ts";

type Row = Record<string, unknown>;

const rows = (value: unknown): Row[] =>
  (Array.isArray(value) ? value : [value]).filter(
    (row): row is Row => typeof row === "object" && row !== null && !Array.isArray(row),
  );
const text = (value: unknown): string => (typeof value === "string" ? value : "");

export class Seen {
  readonly #names: Names = { channels: [], users: [] };

  #channel(row: Row): void {
    if (text(row.cid)) this.#names.channels.push([text(row.cid), text(row.name)]);
  }
  #user(row: Row): void {
    if (text(row.id)) this.#names.users.push([text(row.id), text(row.name)]);
  }

  /** Looks where the protocol's answers have channels, members, users and the writers of messages. */
  look(reply: unknown): void {
    for (const row of rows(reply)) {
      rows(row.channel).forEach((channel) => this.#channel(channel));
      rows(row.channels).forEach((state) => rows(state.channel ?? state).forEach((c) => this.#channel(c)));
      rows(row.users).forEach((user) => this.#user(user));
      for (const key of ["members", "messages", "message"])
        rows(row[key]).forEach((one) => rows(one.user).forEach((user) => this.#user(user)));
    }
  }

  keep(shell: Shell): void {
    noteNames(shell.env, this.#names);
  }
}
