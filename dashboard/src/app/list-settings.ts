import * as text from '../messages/text.ts';
import type { AppRoute } from './route.ts';

/** The pages of the settings with their headings, in the order of the list beside them. */
export function listSettings(routes: readonly AppRoute[]): (AppRoute & { heading: string })[] {
  const headings: readonly string[] = Object.values(text.settings.sections);
  return routes
    .flatMap((route) => (typeof route.place === 'object' ? [{ ...route, heading: route.place.settings }] : []))
    .sort((one, other) => headings.indexOf(one.heading) - headings.indexOf(other.heading));
}
