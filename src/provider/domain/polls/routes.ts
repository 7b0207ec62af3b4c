/** Routes of polls and votes by the name of their endpoint row. */
import type { Handlers } from "../../handler.ts";
import { castPollVote, createPoll, getPoll, removePollVote, updatePollPartial } from "./polls.ts";

export const pollRoutes: Handlers = { createPoll, getPoll, updatePollPartial, castPollVote, removePollVote };
