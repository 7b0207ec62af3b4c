/** Reads the paging flags, and reports an invalid `--next`. */
import type { PageRequest } from "../../commands/base/define-command.ts";
import { noPages, wrongCursor } from "../../commands/base/lists/cursor.ts";
import { ExitError } from "../base/exit.ts";
import { type Shell, printNotice } from "../base/shell.ts";
import { INPUT_ERROR } from "../../wire/errors.ts";

/** Throws `ExitError` 2 for invalid paging flags. */
export function readPage(shell: Shell): PageRequest {
  const { flags, settings } = shell;
  const size = flags.pageSize === undefined ? undefined : Number(flags.pageSize);
  if (size !== undefined && !(Number.isInteger(size) && size > 0))
    throw new ExitError(2, `--page-size must be a whole number from 1, not '${flags.pageSize}'.`);
  if (flags.all && flags.limit !== undefined) throw new ExitError(2, "--all and --limit cannot be combined.");
  return {
    limit: flags.all ? Infinity : settings.limit,
    ...(flags.limit === undefined ? {} : { given: settings.limit }),
    ...(size === undefined ? {} : { size }),
    ...(flags.next === undefined ? {} : { next: flags.next }),
    onMore:
      shell.onMore ??
      ((next) => printNotice(shell, next === undefined ? "more with --all" : `more with --next ${next}`)),
  };
}

/** Request fields that hold a cursor, also nested ones. */
const CURSOR_FIELD = /(^|[._])(next|prev|offset|id_[lg]te?)$/;

/** Wraps a page request to detect a list that ignores `--next`. */
export class CursorCheck {
  readonly page: PageRequest;
  readonly #next: string | undefined;
  #isRead = false;

  constructor({ next, ...page }: PageRequest) {
    this.#next = next;
    const get = (): string | undefined => {
      this.#isRead = true;
      return next;
    };
    this.page = Object.defineProperty(page as PageRequest, "next", { get, enumerable: true });
  }

  /** Throws `CommandError` (usage) when `--next` is given to a list without pages. */
  requireRead(): void {
    if (this.#next !== undefined && !this.#isRead) throw noPages();
  }

  /** Turns the provider's refusal of a cursor into the error that all lists use; other errors are returned unchanged. */
  mapError(error: unknown): unknown {
    const { name, code, body } = error as {
      name?: string;
      code?: unknown;
      body?: { exception_fields?: Record<string, string> };
    };
    const isCursor = Object.keys(body?.exception_fields ?? {}).some((field) => CURSOR_FIELD.test(field));
    if (this.#next === undefined || name !== "ApiError" || code !== INPUT_ERROR || !isCursor) return error;
    return wrongCursor(this.#next);
  }
}
