import {
  CreateImport,
  Cursor,
  Import,
  ImportPreview,
  importModels,
  OneOf,
  OutputObject,
  pageParameters,
  UpdateImport,
} from '@usher/domain';
import Type from 'typebox';
import { listPage } from '../../../db/pagination/list-page.ts';
import { route } from '../../../http/route.ts';
import { importsOf } from '../import-files/import-rows.ts';
import { MAX_IMPORT_FILE } from '../import-files/store-file.ts';
import { createImport } from './create-import.ts';
import { deleteImport } from './delete-import.ts';
import { downloadFailures } from './download-failures.ts';
import { presentImport, presentImports } from './present-import.ts';
import { getImport } from './queries.ts';
import { showPreview } from './show-preview.ts';
import { updateImport } from './update-import.ts';

const OneImport = OutputObject({ import: Import });

export const importRoutes = [
  route({
    methods: ['POST'],
    path: '/v3/edit/imports',
    summary: 'Make an import, with its file or before it',
    description: 'The file is CSV, and goes into the form field `file`. Nothing is imported before `PATCH` starts it.',
    parameters: CreateImport,
    example: {
      name: 'Beta customers',
      kind: 'tag_filters',
      filters: [{ kind: 'property', prop: 'plan', op: 'eq', value: 'beta' }],
    },
    takesFiles: true,
    maxFileBytes: MAX_IMPORT_FILE,
    status: 201,
    // The filters may name Segments.
    errors: [404, 413],
    output: OneImport,
    run: async (ctx, params, _, files) => ({ import: await createImport(ctx, params, files ?? []) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/imports',
    summary: 'List imports',
    parameters: Type.Object({ ...pageParameters, model_kind: Type.Optional(OneOf(importModels)) }),
    output: OutputObject({ imports: Type.Array(Import), cursor: Cursor }),
    run: async (ctx, { model_kind, ...page }) => {
      const all = importsOf(ctx);
      const { rows, cursor } = await listPage(model_kind ? all.where('model_kind', '=', model_kind) : all, page);
      return { imports: await presentImports(ctx, rows), cursor };
    },
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/imports/:id',
    summary: 'Show an import and how far it is',
    output: OneImport,
    run: async (ctx, { id }) => ({ import: await presentImport(ctx, await getImport(ctx, id)) }),
  }),
  route({
    methods: ['PUT', 'PATCH'],
    path: '/v3/edit/imports/:id',
    summary: 'Change an import that has not started, or start it',
    description: 'The columns can be changed until it starts. It runs in the background; `GET` shows how far it is.',
    parameters: UpdateImport,
    example: { name: 'Beta customers' },
    takesFiles: true,
    maxFileBytes: MAX_IMPORT_FILE,
    // The filters may name Segments.
    errors: [404, 409, 413],
    output: OneImport,
    run: async (ctx, { id, ...params }, _, files) => ({ import: await updateImport(ctx, id, params, files ?? []) }),
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/imports/:id',
    summary: 'Delete an import with its file; one that runs stops',
    output: OneImport,
    run: async (ctx, { id }) => ({ import: await deleteImport(ctx, id) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/imports/:id/preview',
    showsPeople: true,
    summary: 'Show the first rows of the file of an import',
    operation: 'previewImport',
    output: OutputObject({ preview: ImportPreview }),
    run: async (ctx, { id }) => ({ preview: await showPreview(ctx, id) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/imports/:id/errors.:format',
    showsPeople: true,
    summary: 'Download the rows of an import that failed, with the reasons, as CSV',
    operation: 'downloadImportErrors',
    parameters: Type.Object({ format: OneOf(['csv']) }),
    output: Type.Unknown(),
    mediaTypes: ['text/csv'],
    run: (ctx, { id }) => downloadFailures(ctx, id),
  }),
];
