import { type Millis, updateLastSeen } from '@usher/domain';
import type { PageProfile } from '../../../db/page-profile/page-profile.ts';

/** The user as Segments see it in a page load at this time: a page load counts itself as the last one. */
export function withPageLoad(pageProfile: PageProfile, now: Millis): PageProfile {
  return { ...pageProfile, row: { ...pageProfile.row, ...updateLastSeen(pageProfile.row, now) } };
}
