/** Every format of this folder, printed from its folders (npm run docs). */
import discord from "./discord/format.ts";
import slack from "./slack/format.ts";
import telegram from "./telegram/format.ts";

export const FORMATS = { discord, slack, telegram };
