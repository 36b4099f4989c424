/** Texts of forms that save something. */
export const forms = {
  saved: (fields: readonly string[]) => `Saved: ${fields.join(', ')}`,
  notSaved: 'Not saved yet',
  discard: 'Discard changes',
  unsaved: {
    title: 'Leave without saving?',
    description: 'What you typed on this page is not saved, and would be lost.',
    stay: 'Stay on page',
    leave: 'Leave page',
  },
  conflict: {
    title: 'Somebody changed this meanwhile',
    change: (field: string, before: string, now: string) => `${field}: was “${before}”, is now “${now}”`,
    next: 'What you typed is still here. Save again to replace what is there now, or discard your changes.',
  },
  notUndone: {
    title: 'Not undone',
    description: 'Somebody has changed it meanwhile, and that stays. Change it again if you still want to.',
  },
  yes: 'on',
  no: 'off',
};
