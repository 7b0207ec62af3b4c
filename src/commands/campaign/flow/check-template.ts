/** Checks that the message of a campaign comes out right for every recipient: placeholders, lengths, links. */
import { withoutTail } from "../../../text/without-tail.ts";
import type { CampaignInput } from "../../../wire/campaign.ts";
import { renderText, unfilledIn, variablesIn } from "../../../wire/template.ts";
import type { Variable } from "../../../wire/template.ts";
import type { User } from "../../../wire/user.ts";
import { safeUrl } from "../../../text/safe-url.ts";
import { nearestName } from "../../../text/spelling.ts";
import type { Person } from "../audience/survey.ts";
import { namedIds } from "./findings.ts";
import type { Findings } from "./findings.ts";
import { objectsFor, renderFor } from "./render.ts";
import type { Rendered } from "./render.ts";

interface TemplateCheck {
  fields: CampaignInput;
  sender: User | undefined;
  /** Who gets it. */
  people: readonly Person[];
  /** Who is named, for the fields that people have. */
  everybody: readonly Person[];
  /** Characters a message may have; undefined where the channel type is not there. */
  most: number | undefined;
  /** Names of columns that this way of sending does not fill. */
  unfilled?: ReadonlySet<string>;
}

/** Every text of a value with the path to it. */
function* textsIn(value: unknown, at: string): Iterable<[at: string, text: string]> {
  if (typeof value === "string") yield [at, value];
  else if (typeof value === "object" && value !== null)
    for (const [key, one] of Object.entries(value)) yield* textsIn(one, `${at}.${key}`);
}

function templatesOf({
  message_template: message,
  channel_template: channel,
}: CampaignInput): [string, string][] {
  const { id, team, custom } = channel ?? {};
  const { text, attachments, custom: fields } = message;
  return [
    ...textsIn({ text, attachments, custom: fields }, "message_template"),
    ...textsIn({ id, team, custom }, "channel_template"),
  ];
}

/** What a new channel has, whatever its template says. */
const CHANNEL_FIELDS = ["id", "cid", "type", "name", "image", "member_count", "created_at", "team"];

/** Fields that people have without being told so in each answer. */
const USER_FIELDS = ["id", "name", "image", "role", "language", "teams", "status", "online"];

/** Names that the object of a variable has somewhere in what is known. */
function namesFor({ word }: Variable, { fields, sender, everybody }: TemplateCheck): Set<string> {
  if (word === "channel")
    return new Set([...CHANNEL_FIELDS, ...Object.keys(fields.channel_template?.custom ?? {})]);
  if (word === "sender") return new Set([...USER_FIELDS, ...Object.keys(sender ?? {})]);
  const names = new Set(USER_FIELDS);
  for (const { user, columns } of everybody)
    for (const key of [...Object.keys(user ?? {}), ...Object.keys(columns ?? {})]) names.add(key);
  return names;
}

/** A variable for which nothing is known to stand is a slip; one that some have and some have not is worth a look. */
function checkVariable(check: TemplateCheck, at: string, variable: Variable, found: Findings): void {
  const { sender, people } = check;
  const names = namesFor(variable, check);
  const first = variable.path.split(".")[0]!;
  if (!names.has(first)) {
    if (variable.word === "receiver" && check.unfilled?.has(first))
      return found.error("column", `${at}: ${variable.text} is a column: only --mode messages fills it`);
    const near = nearestName(first, [...names]);
    const meant = near === undefined ? "" : `; did you mean ${variable.word}.${near}?`;
    return found.error("unknown_placeholder", `${at}: nobody knows ${variable.text}${meant}`);
  }
  if (variable.word === "channel" || people.length === 0) return;
  const empty = people.filter((person) => renderText(variable.text, objectsFor(sender, person)) === "");
  if (empty.length > 0)
    found.warning(
      "empty_placeholder",
      `${at}: ${variable.text} is empty for ${empty.length === people.length ? "everybody" : namedIds(ids(empty), "person", "people")}`,
      ids(empty),
    );
}

const ids = (people: readonly Person[]): string[] => people.map(({ id }) => id);

export function checkTemplate(check: TemplateCheck, found: Findings): void {
  for (const [at, text] of templatesOf(check.fields)) {
    for (const left of unfilledIn(text))
      found.error(
        "braces",
        `${at}: ${left} is no placeholder: write {{ receiver.name }} with two words and a dot`,
      );
    const seen = new Set<string>();
    for (const variable of variablesIn(text)) {
      const name = `${variable.word}.${variable.path}`;
      if (!seen.has(name)) checkVariable(check, at, variable, found);
      seen.add(name);
    }
  }
  if (check.people.length > 0) checkRendered(check, found);
}

/** What comes out, person by person. */
function checkRendered({ fields, sender, people, most }: TemplateCheck, found: Findings): void {
  const out = people.map((person) => ({ person, made: renderFor(fields, objectsFor(sender, person)) }));
  const told = (code: string, is: (made: Rendered) => boolean, say: (who: string) => string): void => {
    const hit = out.filter(({ made }) => is(made)).map(({ person }) => person.id);
    if (hit.length > 0) found.error(code, say(namedIds(hit, "person", "people")), hit);
  };
  const bare = fields.message_template.poll_id === undefined;
  told(
    "empty_text",
    ({ text, attachments }) => text.trim() === "" && attachments.length === 0 && bare,
    (who) => `the message is empty for ${who}`,
  );
  if (most !== undefined)
    told(
      "too_long",
      ({ text }) => text.length > most,
      (who) => `the message is longer than ${most} characters for ${who}`,
    );
  told(
    "empty_channel",
    ({ channelId }) => channelId === "",
    (who) => `the channel id is empty for ${who}`,
  );
  checkLinks(out, found);
  const shared = new Set(out.flatMap(({ made }) => made.channelId ?? []));
  if (out.length > 1 && out[0]!.made.channelId && shared.size < out.length)
    found.warning(
      "shared_channel",
      `${out.length} people get it in ${shared.size} channel${shared.size === 1 ? "" : "s"}: whoever is in one sees the others' messages`,
    );
}

/** Keys of attachments that are addresses. */
const ADDRESSES = /(_url|_link|^url)$/;

/** Addresses as they stand in a text; what ends a sentence behind one is no part of it. */
const WRITTEN = /\b[a-z][a-z\d+.-]{0,30}:\/\/[^\s<>"')\]]*/gi;

function* addressesIn({ text, attachments }: Rendered): Iterable<string> {
  for (const [address] of text.matchAll(WRITTEN)) yield withoutTail(address, ".,;:!?");
  for (const attachment of attachments)
    for (const [at, value] of textsIn(attachment, "")) if (ADDRESSES.test(at)) yield value;
}

/** The same address is told once, however many get it. */
function checkLinks(out: readonly { person: Person; made: Rendered }[], found: Findings): void {
  const bad = new Map<string, string[]>();
  for (const { person, made } of out)
    for (const address of addressesIn(made))
      if (safeUrl(address) === undefined || /%7B|%7D|[{}]/i.test(address))
        bad.set(address, [...(bad.get(address) ?? []), person.id]);
  for (const [address, who] of bad)
    found.error("bad_link", `'${address}' is no address, for ${namedIds(who, "person", "people")}`, who);
}
