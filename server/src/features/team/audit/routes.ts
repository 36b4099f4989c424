import { AuditEntry, auditActions, Cursor, Id, OneOf, OutputObject, pageParameters } from '@usher/domain';
import Type from 'typebox';
import { listPage } from '../../../db/pagination/list-page.ts';
import { route } from '../../../http/route.ts';
import { exportEntries, exportFormats } from './export-entries.ts';
import { presentEntries } from './present-entries.ts';
import { entriesOf } from './queries.ts';

const filters = { action: Type.Optional(OneOf(auditActions)), admin_id: Type.Optional(Id) };

export const auditRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/analyze/audit_entries',
    summary: 'List what administrators did: sign-ins, secrets, roles, settings, publishing; for owners',
    permission: 'own',
    parameters: Type.Object({ ...filters, ...pageParameters }),
    output: OutputObject({ audit_entries: Type.Array(AuditEntry), cursor: Cursor }),
    run: async (ctx, { action, admin_id, ...page }) => {
      const { query } = await entriesOf(ctx, { ...(action && { action }), ...(admin_id && { admin_id }) });
      const { rows, cursor } = await listPage(query, page);
      return { audit_entries: await presentEntries(ctx, rows), cursor };
    },
  }),
  route({
    methods: ['GET'],
    path: '/v3/analyze/audit_entries.:format',
    summary: 'Download the audit log as CSV or JSON; for owners',
    operation: 'downloadAuditEntries',
    permission: 'own',
    parameters: Type.Object({ ...filters, format: OneOf(exportFormats) }),
    output: Type.Unknown(),
    mediaTypes: ['text/csv', 'application/json'],
    run: (ctx, params) => exportEntries(ctx, params),
  }),
];
