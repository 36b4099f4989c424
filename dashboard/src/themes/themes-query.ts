import type { Theme } from '@usher/domain';
import { query } from '../api/queries.ts';

/** All themes of the account: it has 100 at most. */
export const themesQuery = query('GET /v3/edit/themes', { limit: 100 });

/** The themes in a response. The description of the API does not say what filters consist of. */
export const readThemes = (data: { themes: readonly object[] } | undefined) =>
  data?.themes as readonly Theme[] | undefined;
