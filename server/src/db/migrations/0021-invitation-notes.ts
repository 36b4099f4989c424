/** An owner writes for whom an invitation is, since its link does not say it. */
export function invitationNotes(): string[] {
  return ['alter table links add column note text'];
}
