import { Change, Cursor, OutputObject, pageParameters } from '@usher/domain';
import Type from 'typebox';
import { route } from '../../../http/route.ts';
import { changeFilterParameters, listChanges } from './list-changes.ts';

export const changeRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/edit/changes',
    summary: 'List what administrators changed in Experiences',
    description:
      'Newest first. To read only what is new, pass the ID of the newest Change that you have as `after`, and follow `cursor.before` until it is null.',
    parameters: Type.Object({ ...pageParameters, ...changeFilterParameters }),
    output: OutputObject({ changes: Type.Array(Change), cursor: Cursor }),
    run: (ctx, params) => listChanges(ctx, params),
  }),
];
