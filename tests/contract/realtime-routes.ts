/** The routes whose answers stay open; they are tested in realtime.test.ts, row by row like the others. */
export const realtimeRoutes = ["GET /connect", "GET /longpoll"];
