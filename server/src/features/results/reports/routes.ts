import { CreateReport, OutputObject, SavedReport, UpdateReport } from '@usher/domain';
import { listRoute } from '../../../http/list-route.ts';
import { route } from '../../../http/route.ts';
import { createReport } from './create-report.ts';
import { deleteReport } from './delete-report.ts';
import { getReport, presentReport, reportsOf } from './queries.ts';
import { updateReport } from './update-report.ts';

const OneReport = OutputObject({ report: SavedReport });

export const reportRoutes = [
  route({
    methods: ['POST'],
    path: '/v3/edit/reports',
    summary: 'Save a report of Analytics',
    description:
      '`params` are those of the address of its page. `overview`: `days`, or `from` and `until`; `kind`, `url_group_id`, `tag_id`. `adoption`: the period, and `event_name_id`. `funnel`: the period, and `steps`, `window_days` and `split_segment_ids` as of `POST /v3/analyze/funnels`. A record that they name may be deleted later: the page says so then.',
    parameters: CreateReport,
    example: { name: 'Tours this quarter', kind: 'overview', params: { days: 90 } },
    status: 201,
    output: OneReport,
    run: async (ctx, params) => ({ report: await createReport(ctx, params) }),
  }),
  listRoute({
    path: '/v3/edit/reports',
    summary: 'List saved reports',
    name: 'reports',
    item: SavedReport,
    query: reportsOf,
    present: (row, ctx) => presentReport(ctx, row),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/reports/:id',
    summary: 'Show a saved report',
    output: OneReport,
    run: async (ctx, { id }) => ({ report: presentReport(ctx, await getReport(ctx, id)) }),
  }),
  route({
    methods: ['PUT', 'PATCH'],
    path: '/v3/edit/reports/:id',
    summary: 'Rename a saved report, or change what it shows',
    description: '`params` replace all params. The kind stays.',
    parameters: UpdateReport,
    example: { name: 'Tours this month', params: { days: 30 } },
    errors: [409],
    output: OneReport,
    run: async (ctx, { id, ...params }) => ({ report: await updateReport(ctx, id, params) }),
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/reports/:id',
    summary: 'Delete a saved report',
    output: OneReport,
    run: async (ctx, { id }) => ({ report: await deleteReport(ctx, id) }),
  }),
];
