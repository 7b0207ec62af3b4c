/** The handlers of users, each under the name of its endpoint. */
export {
  deactivateUser,
  deactivateUsers,
  reactivateUser,
  reactivateUsers,
} from "../accounts/rules/deactivation.ts";
export { blockUser, getBlockedUsers, unblockUser } from "./rules/blocks.ts";
export { deleteUser, deleteUsers, restoreUsers } from "../accounts/rules/delete.ts";
export { exportUser } from "../accounts/rules/export.ts";
export { createGuest } from "./rules/guest.ts";
export { muteUser, unmuteUser } from "./rules/mutes.ts";
export { queryUsers } from "./rules/query.ts";
export { sendUserEvent } from "./rules/user-event.ts";
export { updateUsersPartial, upsertUsers } from "./rules/write.ts";
