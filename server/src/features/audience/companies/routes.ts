import {
  Company,
  CompanyInput,
  Cursor,
  companyFilterParameters,
  EmbeddedCompany,
  expandCompanyParameter,
  FindCompany,
  Id,
  OneOf,
  OutputObject,
  pageParameters,
} from '@usher/domain';
import Type from 'typebox';
import { BatchOutput, onModelMissing } from '../../../batches/run-batch.ts';
import { hook, route } from '../../../http/route.ts';
import { deleteCompany } from './delete-company.ts';
import { listCompanies } from './list-companies.ts';
import { presentCompany } from './present-company.ts';
import { getCompany } from './queries.ts';
import { saveCompany } from './save-company.ts';
import { saveCompanyBatch } from './save-company-batch.ts';

const OneCompany = OutputObject({ company: Company });
const Deleted = OutputObject({
  deletion: OutputObject({ id: Id }),
  deletions: Type.Optional(Type.Array(OutputObject({ id: Id }))),
});
const cascade = Type.Optional(OneOf(['profiles']));

export const companyRoutes = [
  ...hook({
    path: 'companies',
    summary: 'Send a company: made when its uid is new, changed otherwise',
    description:
      'The Company is found by `id` or `uid`; an unknown `uid` makes a new one. All other keys become custom properties; null removes one.',
    operation: 'sendCompany',
    parameters: CompanyInput,
    example: { uid: '931', name: 'Acme', plan: 'enterprise' },
    output: OutputObject({ company: OutputObject({ id: Id }) }),
    run: async (ctx, params) => ({ company: await saveCompany(ctx, params, 'api') }),
  }),
  ...hook({
    path: 'companies/batch',
    summary: 'Send many companies',
    description:
      'Good items are stored even if others are bad: `errors` says which, by their `index`. The body may have 16 MB.',
    operation: 'sendCompanies',
    parameters: Type.Object({ companies: Type.Array(CompanyInput), on_model_missing: onModelMissing }),
    example: { companies: [{ uid: '931', name: 'Acme' }] },
    batch: 'companies',
    status: 202,
    output: BatchOutput,
    run: (ctx, { on_model_missing }, items) => saveCompanyBatch(ctx, on_model_missing, items),
  }),
  route({
    methods: ['GET', 'POST'],
    path: '/v3/analyze/companies',
    showsPeople: true,
    summary: 'List Companies: all, or the ones that match filters',
    permission: 'read',
    parameters: Type.Object({ ...companyFilterParameters, expand: expandCompanyParameter('all'), ...pageParameters }),
    example: { filters: [{ kind: 'property', prop: 'plan', op: 'eq', value: 'enterprise' }] },
    output: OutputObject({ companies: Type.Array(EmbeddedCompany), cursor: Cursor }),
    run: listCompanies,
  }),
  route({
    methods: ['GET'],
    path: '/v3/analyze/companies/:id',
    showsPeople: true,
    summary: 'Show a Company',
    output: OneCompany,
    run: async (ctx, { id }) => ({ company: presentCompany(await getCompany(ctx, { id })) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/analyze/company',
    showsPeople: true,
    summary: 'Show a Company by its uid',
    operation: 'findCompany',
    parameters: FindCompany,
    example: { uid: '931' },
    output: OneCompany,
    run: async (ctx, params) => ({ company: presentCompany(await getCompany(ctx, params)) }),
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/companies/:id',
    summary: 'Delete a Company, with `cascade=profiles` its profiles too',
    description: 'Its people stay, without a Company, unless `cascade=profiles` forgets them too.',
    parameters: Type.Object({ cascade }),
    output: Deleted,
    run: (ctx, { id, cascade }) => deleteCompany(ctx, { id }, cascade === 'profiles'),
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/company',
    summary: 'Delete a Company by its uid',
    description: 'Its people stay, without a Company, unless `cascade=profiles` forgets them too.',
    operation: 'deleteFoundCompany',
    parameters: Type.Object({ ...FindCompany.properties, cascade }),
    example: { uid: '931' },
    output: Deleted,
    run: (ctx, { cascade, ...find }) => deleteCompany(ctx, find, cascade === 'profiles'),
  }),
];
