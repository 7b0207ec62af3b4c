/** What a proxy does to the calls, answers and events of a run, drawn from a seed: other forms, one odd value, refusals, silence, cuts and redirects. */
import type { Dice } from "../support/seeded.ts";
import type { ProxiedAnswer, ProxiedCall, Ways } from "./answer-proxy.ts";
import { changeOne } from "./change.ts";
import { FORMS, rewrite } from "./service.ts";

type Json = Record<string, unknown>;

/** Of each call, whether its fault comes. */
const CHANCE = 0.3;

/** Answers in the provider's place. */
export const REFUSALS: Readonly<Record<string, (call: ProxiedCall) => ProxiedAnswer | undefined>> = {
  "429 for a second": () => ({
    status: 429,
    text: JSON.stringify({
      code: 9,
      message: "too many calls",
      StatusCode: 429,
      duration: "",
      more_info: "",
    }),
    headers: { "retry-after": "1" },
  }),
  "500": () => ({
    status: 500,
    text: JSON.stringify({ code: -1, message: "broken", StatusCode: 500, duration: "", more_info: "" }),
  }),
  "503 of a gateway": () => ({
    status: 503,
    text: "<h1>busy</h1>",
    headers: { "content-type": "text/html" },
  }),
};

/** Replaces the provider's answer. */
const SPOILT: Readonly<Record<string, (answer: ProxiedAnswer, dice: Dice) => ProxiedAnswer>> = {
  "late answers": (answer, dice) => ({ ...answer, wait: dice.below(3000) }),
  "cut answers": (answer, dice) => ({ ...answer, cutAt: dice.below(answer.text.length) }),
  "success without JSON": (answer, dice) =>
    answer.status < 300 ? { ...answer, text: dice.pick(["OK", "", "[]", "null"]) } : answer,
};

/** Routes that a provider may lack; its answer is of a web server. */
export const LACKED: Readonly<Record<string, RegExp>> = {
  "no GET of a channel": /^GET \/channels\/[^/]+\/[^/]+$/,
  "no /sync": /^POST \/sync$/,
  "no threads": /^POST \/threads$/,
  "no drafts": /^POST \/drafts\/query$/,
  "no unread counts": /^GET \/unread$/,
  "no read marks": /\/read$/,
  "no reminders": /^POST \/reminders\/query$/,
};

const DELIVERIES = ["events twice", "new events", "odd events"];
export const ONE_VALUE = "one odd value";
const RULES = [
  ...Object.keys(FORMS),
  ...Object.keys(REFUSALS),
  ...Object.keys(SPOILT),
  ...Object.keys(LACKED),
  ...DELIVERIES,
  ONE_VALUE,
];

export interface DrawnRules {
  on: ReadonlySet<string>;
  ways: Required<Pick<Ways, "write" | "instead" | "after" | "event">>;
  /** What is on, and what was changed so far. */
  told(): string;
}

export function drawRules(dice: Dice): DrawnRules {
  const on = new Set(Array.from({ length: 1 + dice.below(3) }, () => dice.pick(RULES)));
  const changes: string[] = [];
  const forms = Object.entries(FORMS).filter(([name]) => on.has(name));
  const write = (value: Json): void => {
    for (const [, form] of forms) rewrite(value, form);
    if (!on.has(ONE_VALUE) || !dice.chance(0.5)) return;
    const { path, how } = changeOne(value, dice);
    changes.push(`${how} at ${path}`);
  };
  const drawn = <T>(table: Readonly<Record<string, T>>): T | undefined => {
    const names = Object.keys(table).filter((name) => on.has(name));
    return names.length > 0 && dice.chance(CHANCE) ? table[dice.pick(names)] : undefined;
  };
  const isLacked = ({ method, url }: ProxiedCall): boolean =>
    Object.entries(LACKED).some(([name, what]) => on.has(name) && what.test(`${method} ${url.pathname}`));
  const event = (value: Json): unknown[] => {
    if (value.type === "health.check" && value.me === undefined) return [value];
    write(value);
    if (on.has("odd events") && value.type !== "health.check") changeOne(value, dice);
    const news = on.has("new events") ? [{ type: "message.quite_new", cid: value.cid, of: ["it"] }] : [];
    return [value, ...(on.has("events twice") && value.type !== "health.check" ? [value] : []), ...news];
  };
  return {
    on,
    ways: {
      write,
      event,
      instead: (call) =>
        isLacked(call)
          ? { status: dice.pick([404, 405, 501]), text: "404 page not found" }
          : drawn(REFUSALS)?.(call),
      after: (answer) => drawn(SPOILT)?.(answer, dice) ?? answer,
    },
    told: () => [...on, ...changes].join(", "),
  };
}
