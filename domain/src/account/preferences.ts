import Type, { type Static } from 'typebox';
import { OutputObject, Text } from '../basics/schema.ts';

/* What an administrator has chosen for the dashboard. It is the same in each of their browsers. */

const MAX_VIEWS = 20;

/** A list with filters, under a name. */
export const SavedView = OutputObject({
  name: Text('the name of the view', 60),
  search: Type.Unsafe<string>({
    ...{ type: 'string', pattern: '^\\?', maxLength: 1000 },
    description: 'the filters as they are in the address of the list, such as `?kind=tour&state=live`',
  }),
});
export type SavedView = Static<typeof SavedView>;

export const Preferences = OutputObject({
  views: Type.Array(SavedView),
  /** Whether the tour of the dashboard is no longer offered. */
  has_seen_tour: Type.Boolean(),
});
export type Preferences = Static<typeof Preferences>;

export const noPreferences: Preferences = { views: [], has_seen_tour: false };

export const UpdatePreferences = Type.Object({
  has_seen_tour: Type.Optional(Type.Boolean()),
  views: Type.Optional(
    Type.Array(SavedView, {
      maxItems: MAX_VIEWS,
      description: `a list of up to ${MAX_VIEWS} views of the list of Experiences`,
    }),
  ),
});
