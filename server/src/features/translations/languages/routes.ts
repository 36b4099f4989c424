import { Language, LanguageCode, OneOf, OutputObject } from '@usher/domain';
import Type from 'typebox';
import { notFound } from '../../../errors.ts';
import { listRoute } from '../../../http/list-route.ts';
import { route } from '../../../http/route.ts';
import { createLanguage } from './create-language.ts';
import { deleteLanguage } from './delete-language.ts';
import { presentLanguage } from './present-language.ts';
import { languagesOf } from './queries.ts';

const OneLanguage = OutputObject({ language: Language });

export const languageRoutes = [
  listRoute({
    path: '/v3/edit/languages',
    summary: 'List the languages besides `default`',
    name: 'languages',
    item: Language,
    query: languagesOf,
    present: presentLanguage,
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/languages/:id',
    summary: 'Show a language',
    output: OneLanguage,
    run: async (ctx, { id }) => {
      const row = await languagesOf(ctx).where('id', '=', id).executeTakeFirst();
      if (!row) throw notFound('language');
      return { language: presentLanguage(row) };
    },
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/languages',
    summary: 'Add a language',
    parameters: Type.Object({ code: LanguageCode }),
    example: { code: 'pt-BR' },
    status: 201,
    errors: [409],
    output: OneLanguage,
    run: async (ctx, { code }) => ({ language: await createLanguage(ctx, code) }),
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/languages/:id',
    summary: 'Delete a language; with `cascade=translations` its texts as well',
    parameters: Type.Object({ cascade: Type.Optional(OneOf(['translations'])) }),
    errors: [409],
    output: OneLanguage,
    run: async (ctx, { id, cascade }) => ({ language: await deleteLanguage(ctx, id, cascade === 'translations') }),
  }),
];
