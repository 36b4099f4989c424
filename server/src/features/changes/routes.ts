import { Change, ChangeSummary, Cursor, OutputObject, pageParameters, Text } from '@usher/domain';
import Type from 'typebox';
import { route } from '../../http/route.ts';
import { readKind } from '../experiences/kind.ts';
import { listChanges, listChangesOf, MAX_FILTERS } from './list-changes.ts';
import { summarizeChanges } from './summarize-changes.ts';

const filters = Type.Optional(
  Type.Unsafe<string[]>({
    ...Type.Array(Text('the name of a property such as `title`')),
    maxItems: MAX_FILTERS,
    description: 'a list of property names such as `title,body`: only Changes that touch one of them',
  }),
);
const parameters = Type.Object({ ...pageParameters, filters, filter: filters });
const output = OutputObject({ changes: Type.Array(Change), cursor: Cursor });

export const changeRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/edit/changes',
    summary: 'List what administrators changed in Experiences',
    parameters,
    output,
    run: listChanges,
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/:kind/:id/changes',
    summary: 'List what was changed in an Experience, also when it is deleted',
    parameters,
    output,
    run: (ctx, { kind, id, ...asked }) => listChangesOf(ctx, readKind(kind), id, asked),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/:kind/:id/changes/summary',
    summary: 'Sum up what changed in an Experience since it was last published',
    output: ChangeSummary,
    run: (ctx, { kind, id }) => summarizeChanges(ctx, readKind(kind), id),
  }),
];
