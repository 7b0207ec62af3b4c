/** Notices: shown for some time, at most five; repeating a text renews its notice (R-NOTE). */
import { NOTICE_DISPLAY, NOTICES_SHOWN } from "../../wire/constants.ts";
import type { Notice } from "../../model/state.ts";

/** R-NOTE-1, R-NOTE-2. `now` is monotonic milliseconds. */
export function withNotice(
  notices: readonly Notice[],
  requested: Pick<Notice, "level" | "text"> & Partial<Notice>,
  now: number,
  id: string,
): readonly Notice[] {
  const same = notices.find((each) => each.text === requested.text && each.origin === requested.origin);
  const notice: Notice = {
    ...requested,
    id: same?.id ?? requested.id ?? id,
    until: requested.until ?? now + NOTICE_DISPLAY,
  };
  return [...notices.filter((each) => each !== same), notice].slice(-NOTICES_SHOWN);
}

export function withoutExpired(notices: readonly Notice[], now: number): readonly Notice[] {
  return notices.some((notice) => notice.until <= now)
    ? notices.filter((notice) => notice.until > now)
    : notices;
}
