import Type from 'typebox';
import { route } from '../../../http/route.ts';
import { exportPerson } from './export-person.ts';

export const profileExportRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/edit/profiles/:id/export',
    showsPeople: true,
    summary: 'Download everything about a person as one JSON file',
    description: 'For requests of users who want a copy of their data. The audit log records the download.',
    operation: 'exportPerson',
    output: Type.Unknown(),
    run: (ctx, { id }) => exportPerson(ctx, id),
  }),
];
