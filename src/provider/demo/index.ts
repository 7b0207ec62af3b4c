/** The demo workspace: seeded once, joined by whoever comes later, kept alive by its guide. */
export { startGuide } from "./guide.ts";
export { joinDemo, seedDemo } from "./seed.ts";
