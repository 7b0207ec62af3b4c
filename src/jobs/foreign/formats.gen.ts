/** Every format of this folder, printed from its folders (npm run docs). */
import discord from "./discord/format.ts";
import mattermost from "./mattermost/format.ts";
import slack from "./slack/format.ts";
import slackdump from "./slackdump/format.ts";
import telegram from "./telegram/format.ts";
import zulip from "./zulip/format.ts";

export const FORMATS = { discord, mattermost, slack, slackdump, telegram, zulip };
