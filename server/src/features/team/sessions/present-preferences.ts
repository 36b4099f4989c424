import { noPreferences, type Preferences } from '@usher/domain';
import type { Context } from '../../../context.ts';

declare module '../../../context.ts' {
  interface AppContext {
    /** Whether the dashboard offers a tour of itself. */
    readonly hasDashboardTour: boolean;
  }
}

/** Where the tour is turned off, the dashboard learns that there is no need to offer it. */
export function presentPreferences({ app }: Context, stored: Partial<Preferences> | null): Preferences {
  return { ...noPreferences, ...stored, ...(!app.hasDashboardTour && { has_seen_tour: true }) };
}
