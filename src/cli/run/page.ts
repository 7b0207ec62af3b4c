/** Reads the paging flags of a run, and reports a `--next` that leads nowhere. */
import type { PageRequest } from "../../commands/base/define-command.ts";
import { noPages, wrongCursor } from "../../commands/base/lists/cursor.ts";
import { ExitError } from "../base/exit.ts";
import { type Shell, say } from "../base/shell.ts";
import { INPUT_ERROR } from "../../wire/errors.ts";

/** The paging flags. Throws `ExitError` 2 for numbers that are none. */
export function readPage(shell: Shell): PageRequest {
  const { flags, settings } = shell;
  const size = flags.pageSize === undefined ? undefined : Number(flags.pageSize);
  if (size !== undefined && !(Number.isInteger(size) && size > 0))
    throw new ExitError(2, `--page-size must be a whole number from 1, not '${flags.pageSize}'.`);
  if (flags.all && flags.limit !== undefined) throw new ExitError(2, "--all and --limit cannot be combined.");
  return {
    limit: flags.all ? Infinity : settings.limit,
    ...(size === undefined ? {} : { size }),
    ...(flags.next === undefined ? {} : { next: flags.next }),
    more: (next) => say(shell, next === undefined ? "more with --all" : `more with --next ${next}`),
  };
}

/** Fields of a request that hold a place in a list, inside others too. */
const PLACE = /(^|[._])(next|prev|offset|id_[lg]te?)$/;

/** A page that notices whether its list has looked where to go on. */
export class PlaceCheck {
  readonly page: PageRequest;
  readonly #next: string | undefined;
  #taken = false;

  constructor({ next, ...page }: PageRequest) {
    this.#next = next;
    const take = (): string | undefined => {
      this.#taken = true;
      return next;
    };
    this.page = Object.defineProperty(page as PageRequest, "next", { get: take, enumerable: true });
  }

  /** Throws `CommandError` (usage) for a place in a list that comes whole. */
  needTaken(): void {
    if (this.#next !== undefined && !this.#taken) throw noPages();
  }

  /** The provider's refusal of a place, as every list says it; anything else as it is. */
  meant(error: unknown): unknown {
    const { name, code, body } = error as {
      name?: string;
      code?: unknown;
      body?: { exception_fields?: Record<string, string> };
    };
    const isPlace = Object.keys(body?.exception_fields ?? {}).some((field) => PLACE.test(field));
    if (this.#next === undefined || name !== "ApiError" || code !== INPUT_ERROR || !isPlace) return error;
    return wrongCursor(this.#next);
  }
}
