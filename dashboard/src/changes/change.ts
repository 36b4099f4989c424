import type { ResponseOf } from '../api/api.ts';

export type Change = ResponseOf<'GET /v3/edit/changes'>['changes'][number];
export type ChangeSummary = ResponseOf<'GET /v3/edit/{kind}/{id}/changes/summary'>;
