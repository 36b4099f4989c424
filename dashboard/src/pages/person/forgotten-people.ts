/** People that were forgotten in this tab, by their ID, with the ID of the record. Going back shows the record instead. */
export const forgottenPeople = new Map<string, string>();
