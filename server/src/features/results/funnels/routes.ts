import {
  CountFunnel,
  Cursor,
  FunnelResults,
  funnelPeople,
  ListFunnelPeople,
  Nullable,
  OneOf,
  OutputObject,
  Segment,
  Text,
} from '@usher/domain';
import Type from 'typebox';
import { route } from '../../../http/route.ts';
import { ROWS_PER_CHUNK } from '../../../http/stream-file.ts';
import { NamedProfile } from '../../audience/profiles/named-profiles.ts';
import { streamPeople } from '../people/export-people.ts';
import { PEOPLE_PER_READ, saveAsSegment } from '../people/save-people.ts';
import { countFunnel } from './count-funnel.ts';
import { listFunnelPeople, readAllFunnelPeople, selectFunnelPeople } from './funnel-people.ts';

const steps = [
  { kind: 'event', name: 'Report exported' },
  { kind: 'event', name: 'Report shared' },
];
const example = { steps, step: 1 };

export const funnelRoutes = [
  route({
    methods: ['GET', 'POST'],
    path: '/v3/analyze/funnels',
    summary: 'Count how many people went through steps, one after the other',
    description:
      'A step is an event, or a state of an Experience. People do the first step in the period, and each other step after the one before, all within `window_days` of the first one. Test users are left out. If `complete` is false, the time was over: the numbers are of the `share` of the people who came last, and `message` says what to do. Each Segment has who is in it now.',
    operation: 'countFunnel',
    permission: 'read',
    parameters: CountFunnel,
    example: { steps, window_days: 7 },
    // The Experiences and Segments may not exist.
    errors: [404],
    output: OutputObject({ funnel: FunnelResults }),
    run: async (ctx, params) => ({ funnel: await countFunnel(ctx, params) }),
  }),
  route({
    methods: ['GET', 'POST'],
    path: '/v3/analyze/funnels/people',
    showsPeople: true,
    summary: 'List who came to a step of a funnel, or who left after it',
    description:
      'Newest users first. A page can have fewer people than `limit`: go on while `cursor.before` is not null.',
    operation: 'listFunnelPeople',
    permission: 'read',
    parameters: ListFunnelPeople,
    example,
    errors: [404],
    output: OutputObject({ people: Type.Array(NamedProfile), is_complete: Type.Boolean(), cursor: Cursor }),
    run: listFunnelPeople,
  }),
  route({
    methods: ['GET', 'POST'],
    path: '/v3/analyze/funnels/people.:format',
    showsPeople: true,
    summary: 'Download who came to a step of a funnel, or who left after it, as CSV',
    operation: 'downloadFunnelPeople',
    permission: 'read',
    parameters: Type.Object({ ...funnelPeople, format: OneOf(['csv']) }),
    example,
    errors: [404],
    output: Type.Unknown(),
    mediaTypes: ['text/csv'],
    run: async (ctx, { format: _, ...params }) => {
      const selected = await selectFunnelPeople(ctx, params);
      return streamPeople(ctx, (ctx) => readAllFunnelPeople(ctx, selected, ROWS_PER_CHUNK));
    },
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/funnels/people',
    showsPeople: true,
    summary: 'Save who came to a step of a funnel, or who left after it, as a Segment',
    description:
      'The Segment has these people as they are counted now, and nobody is added later. They are tagged in the background, so it takes a moment until all are in it. `people_count` is null in the response to a repeat with the same `Idempotency-Key`.',
    operation: 'saveFunnelPeople',
    parameters: Type.Object({ ...funnelPeople, name: Text('the name of the Segment') }),
    example: { ...example, name: 'Exported a report in April' },
    status: 201,
    errors: [404, 409],
    output: OutputObject({ segment: Segment, people_count: Nullable(Type.Integer()) }),
    run: async (ctx, { name, ...params }) => {
      const selected = await selectFunnelPeople(ctx, params);
      return saveAsSegment(ctx, name, readAllFunnelPeople(ctx, selected, PEOPLE_PER_READ));
    },
  }),
];
