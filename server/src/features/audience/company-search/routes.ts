import { CompanyDetails, FindCompanies, FoundCompanies, OutputObject } from '@usher/domain';
import { route } from '../../../http/route.ts';
import { findCompanies } from './find-companies.ts';
import { showCompany } from './present-companies.ts';

export const companySearchRoutes = [
  route({
    methods: ['GET', 'POST'],
    path: '/v3/edit/companies/search',
    showsPeople: true,
    summary: 'Find Companies by uid, name or filters, each with how many people it has',
    description: 'Made for lists that people read. `GET /v3/analyze/companies` is the search for programs.',
    operation: 'searchCompanies',
    permission: 'read',
    parameters: FindCompanies,
    example: { text: 'acme' },
    output: FoundCompanies,
    run: findCompanies,
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/companies/:id',
    showsPeople: true,
    summary: 'Show a Company with its properties and how many people it has',
    operation: 'getCompanyDetails',
    output: OutputObject({ company: CompanyDetails }),
    run: async (ctx, { id }) => ({ company: await showCompany(ctx, id) }),
  }),
];
