/** The users of the demo workspace. */

interface Person {
  id: string;
  name: string;
  status?: string;
}

export const GUIDE = "guide";

export const CAST: readonly Person[] = [
  { id: GUIDE, name: "Guide", status: "here to show you around" },
  { id: "ana", name: "Ana Ribeiro", status: "on call this week" },
  { id: "bo", name: "Bo Lindqvist", status: "reviewing" },
  { id: "cy", name: "Cy Okafor" },
  { id: "dana", name: "Dana Levi", status: "in the dark room" },
  { id: "emil", name: "Emil Novák" },
  { id: "fatima", name: "Fatima Zahra" },
  { id: "hiro", name: "広田 Hiro" },
  { id: "ivy", name: "Ivy 🌿 Chen" },
  { id: "ci", name: "ci-bot", status: "871 builds and counting" },
];
