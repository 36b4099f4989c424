/** Why a Delivery left the list of its profile. */
export function removedReason(): string[] {
  return ['alter table deliveries add column removed_reason text'];
}
