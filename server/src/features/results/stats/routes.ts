import {
  Cursor,
  GetSplits,
  GetStats,
  ListProblems,
  OneOf,
  OutputObject,
  pageParameters,
  Splits,
  Stats,
} from '@usher/domain';
import Type from 'typebox';
import { route } from '../../../http/route.ts';
import { readKind } from '../../experiences/kind.ts';
import { exportDays } from './export-days.ts';
import { AnswerText, listTexts } from './list-texts.ts';
import { showStats } from './show-stats.ts';
import { splitStats } from './split-stats.ts';

const days = ListProblems.properties;

export const statsRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/analyze/:kind/:id/stats',
    summary: 'Count the users who saw, started, finished and answered an Experience, day by day in UTC',
    description: 'A user who did the same twice counts once. Test users are left out.',
    operation: 'get{Kind}Stats',
    parameters: GetStats,
    output: OutputObject({ stats: Stats }),
    run: async (ctx, { kind, id, ...params }) => ({ stats: await showStats(ctx, readKind(kind), id, params) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/analyze/:kind/:id/splits',
    summary: 'Split the numbers of an Experience by Segment, language, device, Environment, version or variant',
    description:
      'Each user counts once, as at the first time in the range; in each Segment, who is in it now. With many users, Segments come in parts: pass `cursor.after` as `after`, and add the numbers, until it is null.',
    operation: 'split{Kind}Stats',
    parameters: GetSplits,
    example: { by: 'device' },
    // The Segments may not exist.
    errors: [404],
    output: Splits,
    run: (ctx, { kind, id, ...params }) => splitStats(ctx, readKind(kind), id, params),
  }),
  route({
    methods: ['GET'],
    path: '/v3/analyze/:kind/:id/days.:format',
    summary: 'Download the counts of each day as CSV',
    operation: 'download{Kind}Days',
    parameters: Type.Object({ ...days, format: OneOf(['csv']) }),
    output: Type.Unknown(),
    mediaTypes: ['text/csv'],
    run: (ctx, { kind, id, format: _, ...params }) => exportDays(ctx, readKind(kind), id, params),
  }),
  route({
    methods: ['GET'],
    path: '/v3/analyze/:kind/:id/steps/:step_id/texts',
    showsPeople: true,
    summary: 'List what users wrote to a question of a survey, newest first',
    operation: 'list{Kind}AnswerTexts',
    parameters: Type.Object({ ...days, ...pageParameters }),
    output: OutputObject({ texts: Type.Array(AnswerText), cursor: Cursor }),
    run: (ctx, { kind, id, ...params }) => listTexts(ctx, readKind(kind), id, params),
  }),
];
