/**
 * People who were forgotten in this tab, by their ID, with the ID of the Deletion. Going back shows the Deletion
 * instead.
 */
export const forgottenPeople = new Map<string, string>();
