import {
  CreatePicture,
  Cursor,
  Id,
  listCapitals,
  lowerCase,
  OutputObject,
  Picture,
  PictureUse,
  pageParameters,
  Text,
  UpdatePicture,
} from '@usher/domain';
import { sql } from 'kysely';
import Type from 'typebox';
import { listPage } from '../../../db/pagination/list-page.ts';
import { route } from '../../../http/route.ts';
import { picturesOf } from '../picture-files/store-picture.ts';
import { createPicture } from './create-picture.ts';
import { deletePicture } from './delete-picture.ts';
import { listPictureUses } from './find-uses.ts';
import { presentPicture } from './present-picture.ts';
import { getPicture } from './queries.ts';
import { replacePicture } from './replace-picture.ts';
import { updatePicture } from './update-picture.ts';

const OnePicture = OutputObject({ picture: Picture });

export const pictureRoutes = [
  route({
    methods: ['POST'],
    path: '/v3/edit/pictures',
    summary: 'Upload a picture: one file, or the same picture in two sizes',
    description: 'The form field `file` has a PNG, JPEG, GIF, WebP or AVIF of up to 5 MB.',
    parameters: CreatePicture,
    takesFiles: true,
    status: 201,
    otherStatuses: [200],
    errors: [413],
    output: OnePicture,
    run: (ctx, params, _, files) => createPicture(ctx, params, files),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/pictures',
    summary: 'List pictures, or find them by their names',
    parameters: Type.Object({ ...pageParameters, search: Type.Optional(Text('a part of the name')) }),
    output: OutputObject({ pictures: Type.Array(Picture), cursor: Cursor }),
    run: async (ctx, { search, ...page }) => {
      const all = picturesOf(ctx);
      const part = lowerCase(search ?? '');
      const { containsIgnoringCase } = ctx.dialect.json;
      const found = part === '' ? all : all.where(containsIgnoringCase(sql.ref('name'), part, listCapitals(part)));
      const { rows, cursor } = await listPage(found, page);
      return { pictures: rows.map(presentPicture), cursor };
    },
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/pictures/:id',
    summary: 'Show a picture',
    output: OnePicture,
    run: async (ctx, { id }) => ({ picture: presentPicture(await getPicture(ctx, id)) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/pictures/:id/uses',
    summary: 'List the Experiences that use a picture',
    output: OutputObject({ experiences: Type.Array(PictureUse) }),
    run: async (ctx, { id }) => ({ experiences: await listPictureUses(ctx, await getPicture(ctx, id)) }),
  }),
  route({
    methods: ['PUT', 'PATCH'],
    path: '/v3/edit/pictures/:id',
    summary: 'Rename a picture',
    parameters: UpdatePicture,
    example: { name: 'Login page' },
    output: OnePicture,
    run: async (ctx, { id, name }) => ({ picture: await updatePicture(ctx, id, name) }),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/pictures/:id/replace',
    summary: 'Show another picture wherever this one is, also where users see it now',
    parameters: Type.Object({ picture_id: Id }),
    example: { picture_id: '65f1c2a3b4d5e6f708192a3b' },
    errors: [422],
    output: OutputObject({ experiences: Type.Array(PictureUse) }),
    run: async (ctx, { id, picture_id }) => ({ experiences: await replacePicture(ctx, id, picture_id) }),
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/pictures/:id',
    summary: 'Delete a picture that nothing shows',
    errors: [409],
    runsOnFullDisk: true,
    output: OnePicture,
    run: async (ctx, { id }) => ({ picture: await deletePicture(ctx, id) }),
  }),
];
