/** Routes of users by the name of their endpoint row. */
import {
  deactivateUser,
  deactivateUsers,
  reactivateUser,
  reactivateUsers,
} from "../accounts/rules/deactivation.ts";
import { blockUser, getBlockedUsers, unblockUser } from "./rules/blocks.ts";
import { deleteUser, deleteUsers, restoreUsers } from "../accounts/rules/delete.ts";
import { exportUser } from "../accounts/rules/export.ts";
import { createGuest } from "./rules/guest.ts";
import { muteUser, unmuteUser } from "./rules/mutes.ts";
import { queryUsers } from "./rules/query.ts";
import { sendUserEvent } from "./rules/user-event.ts";
import { updateUsersPartial, upsertUsers } from "./rules/write.ts";

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
