/** The demo workspace: seeded once, joined by new users, kept busy by its guide. */
export { startGuide } from "./guide.ts";
export { joinDemo, seedDemo } from "./seed.ts";
