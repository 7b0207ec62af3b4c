/** The newest notices, kept to be read again once they are gone. */
import type { Notice } from "../../../model/state.ts";
import { clock } from "../../../text/times.ts";
import { words } from "../../../text/words.ts";
import type { Ports } from "../../ports/ports.ts";
import { showNotice } from "../../screen/notices.ts";
import { popupPushed } from "../../screen/popup.ts";
import type { PastNotice } from "../../screen/screen.ts";
import { noticeText, NOTICE_SIGNS } from "./notice-rows.ts";

const MAX_KEPT = 10;

/** Keeps what is shown now: a notice that is shown again counts as its newest showing. */
function withShown(past: readonly PastNotice[], shown: readonly Notice[], now: number) {
  const isKept = ({ id, until }: Notice): boolean =>
    past.some(({ notice }) => notice.id === id && notice.until === until);
  const fresh = shown.filter((notice) => !isKept(notice)).map((notice): PastNotice => ({ notice, at: now }));
  if (fresh.length === 0) return past;
  const isRenewed = ({ notice }: PastNotice): boolean => fresh.some((one) => one.notice.id === notice.id);
  return [...past.filter((one) => !isRenewed(one)), ...fresh].slice(-MAX_KEPT);
}

/** Runs after every change of the notices. */
export const noticeKeeper =
  ({ store, clock: time }: Pick<Ports, "store" | "clock">) =>
  ({ notices }: { notices: readonly Notice[] }): void => {
    const { pastNotices: past } = store.screen;
    const kept = withShown(past, notices, time.now());
    if (kept !== past) store.update((s) => ({ ...s, pastNotices: kept }), false);
  };

/** Shows them, the newest first. */
export function openPastNotices(ports: Pick<Ports, "core" | "store">): void {
  const { screen, look } = ports.store.get();
  const lines = screen.pastNotices.toReversed().map(({ notice, at }) => {
    const time = clock(at, { utc: look.utc });
    return `${time}  ${NOTICE_SIGNS[notice.level]} ${noticeText(notice)}`;
  });
  if (lines.length === 0) return showNotice(ports, words.notices.nonePast);
  ports.store.update((s) =>
    popupPushed(s, { kind: "sheet", title: words.notices.past(lines.length), lines, top: 0 }),
  );
}
