/** The demo workspace: seeded once, joined by new users, and animated by its guide. */
export { startGuide } from "./guide.ts";
export { joinDemo, seedDemo } from "./seed.ts";
