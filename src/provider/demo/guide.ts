/** The guide of the demo, a robot: answers in #welcome, votes at lunch and moves the live location in #field-trip. */
import type { AnyEvent } from "../../wire/events.ts";
import type { Message } from "../../wire/entities/message.ts";
import { timeFromMicros, timeToMicros } from "../../wire/time.ts";
import { CAST, GUIDE } from "./cast.ts";
import type { RobotHost, CallArguments } from "../robots/host.ts";
import type { Handlers } from "../base/handler.ts";
import { positionOnRoute } from "./route.ts";
import { LOCATION_DEVICE, LOCATION_HOURS, LOCATION_MESSAGE, LUNCH_MESSAGE, LUNCH_POLL } from "./seed.ts";

const WELCOME = { type: "messaging", id: "welcome" };
/** How long the guide types before it answers. */
const TYPING_MS = 1200;
const STEP_MS = 3000;
/** Steps of `walk` after which these users vote. */
const LATE_VOTES: Record<number, [voter: string, option: string]> = {
  4: ["bo", "tacos"],
  11: ["guide", "soba"],
};

type Answer = { text: string; thread?: boolean; react?: string; poll?: boolean };

/** Pattern → answer; the first match wins, and the last row matches everything. */
const ANSWERS: readonly [RegExp, Answer][] = [
  [
    /\b(thread|reply)\b/i,
    { text: "This is a thread. Press **Esc** and the channel goes on beside it.", thread: true },
  ],
  [
    /\b(react|reaction|emoji)\b/i,
    { text: "Look at your message. Press **Esc**, then `+` to react to this one.", react: "tada" },
  ],
  [
    /\b(poll|vote)\b/i,
    {
      text: "Which key do you like best? I have voted already. Press **Esc**, then a number, to vote.",
      poll: true,
    },
  ],
  [
    /\b(map|where|location)\b/i,
    { text: "Dana shares her location in #field-trip, and it moves. Press **Ctrl-K** and type `field`." },
  ],
  [
    /\b(help|keys|how)\b/i,
    { text: "**?** while browsing shows every key, **Ctrl-K** goes anywhere, **Ctrl-P** runs any command." },
  ],
  [
    /\b(bob|second|two)\b/i,
    { text: "Open another terminal and start Parley with `--as bob`. Then type here and there." },
  ],
  [
    /\b(script|shell|pipe|cli)\b/i,
    {
      text: "From a shell: `echo \"build ok\" | parley send '#welcome' -`. I will see it like any other message.",
    },
  ],
  [
    /\b(hi|hello|hey|hallo|hej|bom dia|こんにちは)\b/i,
    { text: "Hello! Nice to see you. Ask me for `help`, a `thread`, a `poll` or the `map`.", react: "wave" },
  ],
  [/\b(thanks|thank you|thx|danke|obrigad[oa])\b/i, { text: "You are welcome.", react: "love" }],
  [
    /./s,
    {
      text: "I am only a small program, but I listen. Words that I know: `help`, `thread`, `react`, `poll`, `map`, `script`.",
    },
  ],
];

/** Starts the guide's answers in #welcome and the demo's own activity; returns a function that stops them. */
export function startGuide(host: RobotHost): () => void {
  const guide = new Guide(host);
  const stopListening = host.onEvent((event) => guide.onEvent(event));
  guide.walk();
  return () => {
    stopListening();
    guide.stop();
  };
}

/** The guide reads like a member: what only others may see is not for it. */
const isForGuide = ({ restricted_visibility: some = [] }: Message): boolean =>
  some.length === 0 || some.includes(GUIDE);

class Guide {
  readonly #host: RobotHost;
  readonly #cast = new Set(CAST.map(({ id }) => id));
  readonly #timers = new Set<{ cancel(): void }>();
  #stopped = false;
  #step = 0;

  constructor(host: RobotHost) {
    this.#host = host;
  }

  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers) timer.cancel();
  }

  #later(ms: number, run: () => void): void {
    const timer = this.#host.after(ms, () => {
      this.#timers.delete(timer);
      if (!this.#stopped) run();
    });
    this.#timers.add(timer);
  }

  /** Ignores all errors, because the guide must never crash the provider. */
  #attempt<K extends keyof Handlers>(name: K, args: CallArguments<K>): void {
    try {
      this.#host.perform(name, args);
    } catch {
      // The message, poll or channel was deleted meanwhile.
    }
  }

  onEvent(event: AnyEvent): void {
    if (event.type !== "message.new" || event.cid !== "messaging:welcome") return;
    const message = event.message as Message;
    if (message.type === "system" || this.#cast.has(message.user.id) || !isForGuide(message)) return;
    this.#answer(message);
  }

  #answer(message: Message): void {
    const [, reply] = ANSWERS.find(([words]) => words.test(message.text)) ?? ANSWERS.at(-1)!;
    const { react } = reply;
    const parent = message.parent_id ?? (reply.thread ? message.id : undefined);
    this.#typing("typing.start", parent);
    if (react)
      this.#later(400, () =>
        this.#attempt("sendReaction", {
          path: { id: message.id },
          body: { reaction: { type: react }, user_id: GUIDE },
        }),
      );
    this.#later(TYPING_MS, () => {
      this.#typing("typing.stop", parent);
      this.#say(message, reply, parent);
    });
  }

  #typing(type: string, parent: string | undefined): void {
    this.#attempt("sendEvent", {
      path: WELCOME,
      body: { event: { type, user_id: GUIDE, ...(parent && { parent_id: parent }) } },
    });
  }

  #say(to: Message, reply: Answer, parent: string | undefined): void {
    const id = `guide-${to.id}`.slice(0, 255);
    const { restricted_visibility = [] } = to;
    const pollId = reply.poll ? `${id}-poll`.slice(0, 255) : undefined;
    if (pollId)
      this.#attempt("createPoll", {
        body: {
          id: pollId,
          name: "Your favourite key?",
          options: ["Ctrl-K", "Esc", "Enter"].map((text, n) => ({ id: `o${n}`, text })),
          user_id: GUIDE,
        },
      });
    this.#attempt("sendMessage", {
      path: WELCOME,
      body: {
        message: {
          id,
          text: reply.text,
          user_id: GUIDE,
          ...(parent && { parent_id: parent }),
          ...(pollId && { poll_id: pollId }),
          // Who does not see the question does not see the answer.
          ...(restricted_visibility.length > 0 && {
            restricted_visibility: [...restricted_visibility, to.user.id],
          }),
        },
      },
    });
    if (pollId)
      this.#attempt("castPollVote", {
        path: { message_id: id, poll_id: pollId },
        body: { vote: { option_id: "o0" }, user_id: GUIDE },
      });
  }

  /** Moves the live location by one step and casts the late lunch votes; pauses while no client is connected. */
  walk(): void {
    this.#later(STEP_MS, () => this.walk());
    if (!this.#host.anyoneOnline()) return;
    this.#step++;
    const lateVote = LATE_VOTES[this.#step];
    if (lateVote)
      this.#attempt("castPollVote", {
        path: { message_id: LUNCH_MESSAGE, poll_id: LUNCH_POLL },
        body: { vote: { option_id: lateVote[1] }, user_id: lateVote[0] },
      });
    this.#attempt("updateLiveLocation", {
      query: { user_id: "dana" },
      body: {
        message_id: LOCATION_MESSAGE,
        ...positionOnRoute(this.#step),
        created_by_device_id: LOCATION_DEVICE,
        ...extendedEnd(this.#host),
      },
    });
  }
}

/** Extends a live location that would end within the hour, so that the demo never runs out. */
function extendedEnd(host: RobotHost): { end_at?: string } {
  let end: string | undefined;
  try {
    end = host.perform("getMessage", { path: { id: LOCATION_MESSAGE } }).message.shared_location?.end_at;
  } catch {
    return {}; // The message was deleted.
  }
  if (!end || timeToMicros(end) > host.now() + 3_600_000_000 || timeToMicros(end) <= host.now()) return {};
  return { end_at: timeFromMicros(host.now() + LOCATION_HOURS * 3_600_000_000) };
}
