import {
  Change,
  CreateTheme,
  Cursor,
  DeleteTheme,
  Id,
  ImportTheme,
  listThemeProblems,
  OutputObject,
  pageParameters,
  sortTheme,
  Text,
  Theme,
  type ThemeDocument,
  ThemePublishCheck,
  ThemeUse,
  UpdateTheme,
} from '@usher/domain';
import Type from 'typebox';
import type { Context } from '../../../context.ts';
import { listPage } from '../../../db/pagination/list-page.ts';
import { notFound } from '../../../errors.ts';
import { route } from '../../../http/route.ts';
import { changeFilterParameters, listChanges } from '../changes/list-changes.ts';
import { changesOf } from '../changes/queries.ts';
import { getVersion, listVersionsOf, presentVersion, Version, VersionInFull } from '../versions.ts';
import { createTheme, duplicateTheme } from './create-theme.ts';
import { deleteTheme } from './delete-theme.ts';
import { importTheme } from './import-theme.ts';
import { listThemeUsers } from './list-users.ts';
import { presentTheme, presentThemes } from './present-theme.ts';
import { getTheme, themesOf } from './queries.ts';
import { resumeTheme } from './resume-theme.ts';
import { revertTheme } from './revert-theme.ts';
import { updateTheme } from './update-theme.ts';

const OneTheme = OutputObject({ theme: Theme });

export const themeRoutes = [
  route({
    methods: ['POST'],
    path: '/v3/edit/themes',
    summary: 'Make a theme',
    parameters: CreateTheme,
    example: { name: 'Our brand', style_color_button_highlight: '1f5f4a', style_radius: '4' },
    inFiles: true,
    status: 201,
    // The variations may name Segments.
    errors: [404],
    output: OneTheme,
    run: async (ctx, params) => ({ theme: await createTheme(ctx, params) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/themes',
    summary: 'List themes',
    parameters: Type.Object(pageParameters),
    output: OutputObject({ themes: Type.Array(Theme), cursor: Cursor }),
    run: async (ctx, page) => {
      const { rows, cursor } = await listPage(themesOf(ctx), page);
      return { themes: await presentThemes(ctx, rows), cursor };
    },
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/themes/:id',
    summary: 'Show a theme',
    output: OneTheme,
    run: async (ctx, { id }) => ({ theme: await presentTheme(ctx, await getTheme(ctx, id)) }),
  }),
  route({
    methods: ['PUT', 'PATCH'],
    path: '/v3/edit/themes/:id',
    summary: 'Change, publish or unpublish a theme, or make it the default',
    description:
      'A change is a draft until `published_at` publishes it. With the `updated_at` that you have seen, it is 409 if someone else has changed the theme since.',
    parameters: UpdateTheme,
    example: { style_radius: '12' },
    // The variations may name Segments.
    errors: [404, 409],
    output: OneTheme,
    run: async (ctx, { id, ...params }) => ({ theme: await updateTheme(ctx, id, params) }),
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/themes/:id',
    summary: 'Delete a theme, and give its Experiences another one',
    parameters: DeleteTheme,
    errors: [404, 409],
    output: OneTheme,
    run: async (ctx, { id, replacement_id }) => ({ theme: await deleteTheme(ctx, id, replacement_id) }),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/themes/:id/duplicate',
    summary: 'Make a copy of a theme',
    parameters: Type.Object({ name: Type.Optional(Text('the name of the copy')) }),
    status: 201,
    output: OneTheme,
    run: async (ctx, { id, name }) => ({ theme: await duplicateTheme(ctx, id, name) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/themes/:id/experiences',
    summary: 'List the Experiences that have a theme, in their draft or published',
    parameters: Type.Object({
      ...pageParameters,
      live: Type.Optional(Type.Boolean({ description: 'true for the Experiences that users can see now' })),
      inherited: Type.Optional(
        Type.Boolean({
          description: 'true for the Experiences without a theme of their own, which have the default one',
        }),
      ),
    }),
    output: OutputObject({ experiences: Type.Array(ThemeUse), cursor: Cursor }),
    run: (ctx, { id, ...params }) => listThemeUsers(ctx, id, params),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/themes/:id/publish_check',
    summary: 'Check what keeps a theme from being published',
    operation: 'checkThemePublish',
    output: OutputObject({ publish_check: ThemePublishCheck }),
    run: async (ctx, { id }) => ({
      publish_check: { problems: listThemeProblems((await getTheme(ctx, id)).draft) },
    }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/themes/:id/changes',
    summary: 'List what was changed in a theme, also when it is deleted',
    parameters: Type.Object({ ...pageParameters, ...changeFilterParameters }),
    output: OutputObject({ changes: Type.Array(Change), cursor: Cursor }),
    run: async (ctx, { id, ...params }) => {
      await checkHistory(ctx, id);
      return listChanges(ctx, params, id);
    },
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/themes/:id/revert',
    summary: 'Return a theme to how it was after a Change, or in a version',
    parameters: Type.Object({ change_id: Type.Optional(Id), version_id: Type.Optional(Id) }),
    example: { change_id: '6af9638628e00002f7b4f708' },
    output: OneTheme,
    run: async (ctx, { id, ...to }) => ({ theme: await revertTheme(ctx, id, to) }),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/themes/:id/import',
    summary: 'Replace the whole document of a theme',
    parameters: ImportTheme,
    example: { name: 'Our brand', style_radius: '4' },
    status: 200,
    // The variations may name Segments.
    errors: [404, 409],
    output: OutputObject({ theme: Theme, warnings: Type.Optional(Type.Array(Type.String())) }),
    run: (ctx, { id, ...params }) => importTheme(ctx, id, params),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/themes/:id/resume',
    summary: 'Publish again what users saw before a theme was unpublished',
    status: 200,
    errors: [409],
    output: OneTheme,
    run: async (ctx, { id }) => ({ theme: await resumeTheme(ctx, id) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/themes/:id/versions',
    summary: 'List what was published of a theme',
    parameters: Type.Object(pageParameters),
    output: OutputObject({ versions: Type.Array(Version), cursor: Cursor }),
    run: async (ctx, { id, ...page }) => listVersionsOf(ctx, id, (await getTheme(ctx, id)).version_id, page),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/themes/:id/versions/:version_id',
    summary: 'Show a published version of a theme',
    output: OutputObject({ version: VersionInFull }),
    run: async (ctx, { id, version_id }) => {
      const theme = await getTheme(ctx, id);
      const row = await getVersion(ctx, id, version_id);
      const document = sortTheme(row.content.document as unknown as ThemeDocument);
      return { version: { ...presentVersion(id, theme.version_id, row), document, translations: {} } };
    },
  }),
];

/** A theme has a history, even when it is deleted. */
async function checkHistory(ctx: Context, id: string): Promise<void> {
  const change = await changesOf(ctx)
    .where('experience_id', '=', id)
    .where('model_type', '=', 'Theme')
    .limit(1)
    .executeTakeFirst();
  if (!change) throw notFound('theme');
}
