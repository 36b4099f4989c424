import { query } from './queries.ts';

export const sampleDataQuery = query('GET /v3/edit/sample_data');
