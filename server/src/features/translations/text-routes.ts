import {
  Cursor,
  ExperienceTranslations,
  experienceKinds,
  ListedTranslations,
  OneOf,
  OutputObject,
  pageParameters,
  TranslationsParameters,
} from '@usher/domain';
import Type from 'typebox';
import { route } from '../../http/route.ts';
import { readKind } from '../experiences/kind.ts';
import { listTranslations } from './list-translations.ts';
import { patchTranslations } from './patch-translations.ts';
import { showTranslations } from './show-translations.ts';

const OneExperience = OutputObject({ translations: ExperienceTranslations });

/** The texts of Experiences one by one, for translators who work without files. */
export const textRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/edit/translations',
    summary: 'List Experiences with how far their translation into each language is',
    parameters: Type.Object({ ...pageParameters, kind: Type.Optional(OneOf(experienceKinds)) }),
    output: OutputObject({ translations: Type.Array(ListedTranslations), cursor: Cursor }),
    run: async (ctx, params) => {
      const { rows, cursor } = await listTranslations(ctx, params);
      return { translations: rows, cursor };
    },
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/:kind/:id/translations',
    summary: 'Show the texts of an Experience and their translations',
    output: OneExperience,
    run: async (ctx, { kind, id }) => ({ translations: await showTranslations(ctx, readKind(kind), id) }),
  }),
  route({
    methods: ['PUT', 'PATCH'],
    path: '/v3/edit/:kind/:id/translations',
    summary: 'Write single translations of an Experience',
    permission: 'translate',
    parameters: TranslationsParameters,
    example: { language: 'pt-BR', texts: [] },
    errors: [409],
    output: OneExperience,
    run: async (ctx, { kind: path, id, ...params }) => {
      const kind = readKind(path);
      await patchTranslations(ctx, kind, id, params);
      return { translations: await showTranslations(ctx, kind, id) };
    },
  }),
];
