/** The routes whose answers stay open; realtime.test.ts tests them row by row. */
export const realtimeRoutes = ["GET /connect", "GET /longpoll"];
