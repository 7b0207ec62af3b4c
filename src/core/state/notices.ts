/** Notices: shown for a while, at most five, the same text renewed instead of stacked (R-NOTE). */
import { NOTICE_DISPLAY, NOTICES_SHOWN } from "../../wire/constants.ts";
import type { Notice } from "../../model/state.ts";

/** R-NOTE-1, R-NOTE-2. `now` is monotonic milliseconds. */
export function withNotice(
  notices: readonly Notice[],
  given: Pick<Notice, "level" | "text"> & Partial<Notice>,
  now: number,
  id: string,
): readonly Notice[] {
  const same = notices.find((each) => each.text === given.text && each.origin === given.origin);
  const notice: Notice = {
    ...given,
    id: same?.id ?? given.id ?? id,
    until: given.until ?? now + NOTICE_DISPLAY,
  };
  return [...notices.filter((each) => each !== same), notice].slice(-NOTICES_SHOWN);
}

export function withoutExpired(notices: readonly Notice[], now: number): readonly Notice[] {
  return notices.some((notice) => notice.until <= now)
    ? notices.filter((notice) => notice.until > now)
    : notices;
}
