import { CompanyInput, toCompanyItem } from '@usher/domain';
import { itemReader, type OnMissing, runBatch } from '../../../batches/run-batch.ts';
import type { Context } from '../../../context.ts';
import type { BatchItems } from '../../../http/route.ts';
import { saveCompanies } from './save-companies.ts';

const readItem = itemReader(CompanyInput, toCompanyItem);

export function saveCompanyBatch(ctx: Context, onMissing: OnMissing, items: BatchItems) {
  return runBatch(ctx, items, readItem, (some) => saveCompanies(ctx, some, onMissing, 'api'));
}
