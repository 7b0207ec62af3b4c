/** Routes of users by the name of their endpoint row. */
import { deactivateUser, deactivateUsers, reactivateUser, reactivateUsers } from "./deactivation.ts";
import { blockUser, getBlockedUsers, unblockUser } from "./blocks.ts";
import { deleteUser, deleteUsers, restoreUsers } from "./delete.ts";
import { exportUser } from "./export.ts";
import { createGuest } from "./guest.ts";
import { muteUser, unmuteUser } from "./mutes.ts";
import { queryUsers } from "./query.ts";
import { sendUserEvent } from "./user-event.ts";
import { updateUsersPartial, upsertUsers } from "./write.ts";

export const userRoutes = {
  queryUsers,
  upsertUsers,
  updateUsersPartial,
  deleteUsers,
  deleteUser,
  restoreUsers,
  deactivateUser,
  deactivateUsers,
  reactivateUser,
  reactivateUsers,
  exportUser,
  sendUserEvent,
  createGuest,
  blockUser,
  unblockUser,
  getBlockedUsers,
  muteUser,
  unmuteUser,
};
