import {
  CountedSegment,
  Counting,
  CreateSegment,
  Cursor,
  Experience,
  ImportSegment,
  joinNames,
  kindPaths,
  OutputObject,
  pageParameters,
  Segment,
  SegmentUses,
  UpdateSegment,
} from '@usher/domain';
import Type from 'typebox';
import { listRoute } from '../../../http/list-route.ts';
import { route } from '../../../http/route.ts';
import { segmentsOf } from '../filters/segments.ts';
import { readRun } from '../segment-counts/segment-count-run.ts';
import { updateCounts } from '../segment-counts/update-counts.ts';
import { createSegment } from './create-segment.ts';
import { deleteSegment } from './delete-segment.ts';
import { listCountedSegments } from './list-counted-segments.ts';
import { listSegmentUses } from './list-segment-uses.ts';
import { presentSegment } from './present-segment.ts';
import { getSegment } from './queries.ts';
import { showSegmentUses } from './show-segment-uses.ts';
import { updateSegment } from './update-segment.ts';

const OneSegment = OutputObject({ segment: Segment });

export const segmentRoutes = [
  route({
    methods: ['POST'],
    path: '/v3/edit/segments',
    summary: 'Make a Segment',
    parameters: CreateSegment,
    example: { name: 'On the pro plan', items: [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }] },
    inFiles: true,
    status: 201,
    // The items may name other Segments.
    errors: [404],
    output: OneSegment,
    run: async (ctx, params) => ({ segment: await createSegment(ctx, params) }),
  }),
  listRoute({
    path: '/v3/edit/segments',
    summary: 'List Segments',
    name: 'segments',
    item: Segment,
    query: segmentsOf,
    present: presentSegment,
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/segments/:id',
    summary: 'Show a Segment',
    output: OneSegment,
    run: async (ctx, { id }) => ({ segment: presentSegment(await getSegment(ctx, id)) }),
  }),
  route({
    methods: ['PUT', 'PATCH'],
    path: '/v3/edit/segments/:id',
    summary: 'Change a Segment',
    parameters: UpdateSegment,
    example: { name: 'On a paid plan' },
    // The items may name other Segments.
    errors: [404, 409],
    output: OneSegment,
    run: async (ctx, { id, ...params }) => ({ segment: await updateSegment(ctx, id, params) }),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/segments/:id/import',
    summary: 'Replace the filters of a Segment by filters of another v3 service',
    description: 'Filters that have no meaning here are kept, match no one, and are listed in `warnings`.',
    parameters: ImportSegment,
    example: { items: [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }] },
    // The items may name other Segments.
    errors: [404],
    output: OneSegment,
    run: async (ctx, { id, ...params }) => ({ segment: await updateSegment(ctx, id, params, { isImport: true }) }),
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/segments/:id',
    summary: 'Delete a Segment that nothing uses',
    description: '409 while an Experience, another Segment or a group uses it: the message says which.',
    errors: [409],
    output: OneSegment,
    run: async (ctx, { id }) => ({ segment: await deleteSegment(ctx, id) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/segments/:id/:kind',
    summary: `List what uses a Segment: ${joinNames(['segments', ...kindPaths], 'or')}`,
    operation: 'listSegmentUsesOfKind',
    parameters: Type.Object(pageParameters),
    output: Type.Record(Type.String(), Type.Union([Type.Array(Type.Union([Segment, Experience])), Segment, Cursor])),
    run: (ctx, { id, kind, ...page }) => listSegmentUses(ctx, id, kind, page),
  }),
  route({
    methods: ['GET'],
    path: '/v3/analyze/segments',
    summary: 'List Segments with how many users are in each, and how many use it',
    description:
      'The counts are those of the last time that they were counted: `POST /v3/analyze/segments/count` counts again.',
    operation: 'listSegmentsWithCounts',
    parameters: Type.Object(pageParameters),
    output: OutputObject({ segments: Type.Array(CountedSegment), counting: Counting, cursor: Cursor }),
    run: listCountedSegments,
  }),
  route({
    methods: ['GET'],
    path: '/v3/analyze/segments/counting',
    summary: 'Show how far the count of the Segments is',
    operation: 'getSegmentCounting',
    output: OutputObject({ counting: Counting }),
    run: async (ctx) => {
      const share = await readRun(ctx);
      return { counting: share === undefined ? null : { share } };
    },
  }),
  route({
    methods: ['POST'],
    path: '/v3/analyze/segments/count',
    summary: 'Count the users of all Segments again, in the background',
    permission: 'read',
    status: 202,
    output: OutputObject({ counting: Counting }),
    run: async (ctx) => ({ counting: (await updateCounts(ctx, await segmentsOf(ctx).execute(), true)).counting }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/analyze/segments/:id/uses',
    summary: 'List what uses a Segment, in a draft or published',
    output: OutputObject({ uses: SegmentUses }),
    run: async (ctx, { id }) => ({ uses: await showSegmentUses(ctx, id) }),
  }),
];
