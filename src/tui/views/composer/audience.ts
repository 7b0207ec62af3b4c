/** Says above the box who will see what is written there, and why it cannot be sent to them (R-SEND-16). */
import { userName } from "../../../model/channels.ts";
import {
  answeredIds,
  audienceOfMessage,
  AudienceError,
  writtenAudience,
  type Audience,
} from "../../../model/audience.ts";
import { errorMessage } from "../../../model/errors.ts";
import { heldNear } from "../../../model/select.ts";
import type { State, ThreadRef } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import type { Ports } from "../../ports/ports.ts";
import { errorWords, showNotice } from "../../screen/notices.ts";
import { boxOf, composerPlace } from "../../screen/screen.ts";
import { BOTH_HALVES, memoizeLast, type Reads } from "../../screen/store.ts";

/** A name that another member has as well is shown with its id. */
function personWords(state: State, cid: string, id: string): string {
  const name = userName(state.users.get(id) ?? { id });
  const members = [...(state.channels.get(cid)?.members.values() ?? [])];
  const isShared = members.some(({ user }) => user && user.id !== id && userName(user) === name);
  return cleanLine(isShared ? `${name} (${id})` : name);
}

/** The people of an audience by name, without the user. */
export const peopleWords = (state: State, cid: string, audience: Audience): string[] =>
  audience.filter((id) => id !== state.me?.id).map((id) => personWords(state, cid, id));

const wordsOf = memoizeLast((state: State, cid: string, audience: Audience | undefined, chosen: boolean) => {
  if (!audience) return [words.audience.unknown] as const;
  if (audience.length > 0) return words.audience.box(peopleWords(state, cid, audience));
  return chosen ? ([words.audience.everybody] as const) : undefined;
}, BOTH_HALVES);

/** Who will see what is written in the open box; undefined: everybody, without a choice. */
export function seenByWords({ state, screen }: Reads<"state" | "composers" | "cid" | "panels">) {
  const place = composerPlace(screen);
  const { onlyFor, quotedId, audience } = boxOf(screen, place);
  if (!place) return undefined;
  // What it answers may have been loaded since.
  const known = (id: string): Audience | undefined => {
    const held = heldNear(state, place, id);
    return held && audienceOfMessage(held);
  };
  const answers = answeredIds(place, quotedId);
  const seenBy = audience ?? writtenAudience({ onlyFor, answers }, state.me?.id, known);
  return wordsOf(state, place.cid, seenBy, onlyFor !== undefined);
}

export const showAudienceError = (ports: Ports, error: AudienceError): void =>
  showNotice(ports, error.why === "right" ? words.audience.right : errorMessage(error), "warning");

/** Looks up who sees what the message answers, then sends it, if its text is still the same. */
export function whenAudienceIsKnown(ports: Ports, place: ThreadRef, send: () => void): void {
  const { boxes } = ports;
  const { text } = boxes.at(place).editor;
  boxes
    .composer(place)
    .findAudience()
    .then(
      () => boxes.at(place).editor.text === text && send(),
      (error: unknown) =>
        error instanceof AudienceError
          ? showAudienceError(ports, error)
          : showNotice(ports, cleanLine(words.audience.notFound(errorWords(error))), "warning"),
    );
}
