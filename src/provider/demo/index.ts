/** The demo workspace: seeded once, joined by whoever comes later, kept alive by its guide. */
export type { RobotHost, Performed } from "../robots/host.ts";
export { startGuide } from "./guide.ts";
export { joinDemo, seedDemo } from "./seed.ts";
export type { You } from "./seed.ts";
