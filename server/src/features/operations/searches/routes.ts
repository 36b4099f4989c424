import { Cursor, OutputObject, pageParameters } from '@usher/domain';
import Type from 'typebox';
import { MAX_PAGE_SIZE } from '../../../db/pagination/list-page.ts';
import { route } from '../../../http/route.ts';

/** There is no help bar yet. Connectors request these lists first, and accept empty ones. */
export const searchRoutes = ['searches', 'search_items'].map((list) =>
  route({
    methods: ['GET'],
    path: `/v3/edit/${list}`,
    summary: `List the ${list} of the help bar: none`,
    description: 'Always empty: Usher has no help bar. Clients that ask for it go on working.',
    parameters: Type.Object(pageParameters),
    output: OutputObject({ [list]: Type.Array(Type.Unknown()), cursor: Cursor }),
    run: async (_ctx, { limit }) => ({ [list]: [], cursor: { limit: Math.min(limit, MAX_PAGE_SIZE), before: null } }),
  }),
);
