/** The people of an import: everybody whom an export lists or names, each once. */
import type { ImportItem } from "../../../wire/entities/import.ts";
import { isUserId } from "../../../wire/ids.ts";
import { isWebAddress, shortened, withoutNothing } from "./fields.ts";

interface PersonFields {
  name?: string | undefined;
  /** An address; a path is not one. */
  image?: string | undefined;
  created_at?: string | undefined;
  deactivated_at?: string | undefined;
  username?: string | undefined;
  bot?: true | undefined;
}

export class ImportedPeople {
  readonly #users = new Map<string, ImportItem["data"]>();

  get items(): Iterable<ImportItem["data"]> {
    return this.#users.values();
  }

  get first(): string | undefined {
    return this.#users.keys().next().value;
  }

  has(id: string): boolean {
    return this.#users.has(id);
  }

  name(id: string): string | undefined {
    return this.#users.get(id)?.name as string | undefined;
  }

  /** Adds somebody, or what is not known of them yet; false for an id that nobody can have. */
  add(id: string | undefined, fields: PersonFields = {}): boolean {
    return this.#write(id, fields, false);
  }

  /** What is said later counts. */
  put(id: string | undefined, fields: PersonFields): boolean {
    return this.#write(id, fields, true);
  }

  #write(id: string | undefined, fields: PersonFields, overwrites: boolean): id is string {
    if (id === undefined || !isUserId(id)) return false;
    const { name, username, image, ...rest } = fields;
    const said = withoutNothing({
      ...rest,
      name: name && shortened(name),
      username: username && shortened(username),
      image: image && isWebAddress(image) ? image : undefined,
    });
    const known = this.#users.get(id);
    this.#users.set(id, overwrites ? { id, ...known, ...said } : { id, ...said, ...known });
    return true;
  }
}
