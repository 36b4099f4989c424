import { OutputObject, SampleData } from '@usher/domain';
import { route } from '../../../http/route.ts';
import { loadSampleData } from './load-sample-data.ts';
import { removeSampleData } from './remove-sample-data.ts';
import { showSampleData } from './show-sample-data.ts';

const output = OutputObject({ sample_data: SampleData });

export const sampleDataRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/edit/sample_data',
    summary: 'Show whether sample data is loaded, and how much',
    output,
    run: async (ctx) => ({ sample_data: await showSampleData(ctx) }),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/sample_data',
    summary: 'Load sample data: people, Companies, Segments and Experiences with 30 days of use',
    operation: 'loadSampleData',
    status: 201,
    errors: [409],
    output,
    run: async (ctx) => ({ sample_data: await loadSampleData(ctx) }),
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/sample_data',
    summary: 'Remove the sample data, with everything that hangs on it',
    operation: 'removeSampleData',
    errors: [404, 409],
    output,
    run: async (ctx) => ({ sample_data: await removeSampleData(ctx) }),
  }),
];
