import {
  experienceKinds,
  Id,
  OneOf,
  OutputObject,
  Text,
  TranslationFileAnswer,
  TranslationProgress,
  UploadResult,
} from '@usher/domain';
import Type from 'typebox';
import { route } from '../../http/route.ts';
import { readKind } from '../experiences/kind.ts';
import { downloadKind, downloadMix, downloadOne } from './download-translations.ts';
import { showProgress } from './show-progress.ts';
import { uploadTranslations } from './upload-translations.ts';
import { formats } from './write-file.ts';

const MAX_EXPERIENCES = 1000;

const format = OneOf(formats);
const language = Type.Optional(Text('`default` or a BCP 47 code such as `de` or `pt-BR`', 35));
const archived = Type.Unsafe<boolean>({ type: 'boolean', default: true });
const ofOne = Type.Object({ format, language });
const ofKind = Type.Object({ format, language, archived });
const ofMix = Type.Object({
  format,
  language,
  archived,
  experiences: Type.Optional(
    Type.Array(Type.Object({ kind: OneOf(experienceKinds), id: Id }), {
      maxItems: MAX_EXPERIENCES,
      description: 'a list of objects with `kind` and `id`',
    }),
  ),
});

/** The format is a parameter, or the end of the path. */
function withFormats<Path extends string>(path: Path): [Path, `${Path}.:format`] {
  return [path, `${path}.:format`];
}

function downloadRoute(path: string) {
  const definition = {
    methods: ['GET', 'POST'],
    permission: 'read',
    output: TranslationFileAnswer,
    mediaTypes: ['application/json', 'application/yaml'],
  } as const;
  return path.endsWith('/i18n') ? { ...definition, example: { format: 'yaml' } } : definition;
}

export const translationRoutes = [
  ...withFormats('/v3/edit/:kind/:id/i18n').map((path) =>
    route({
      ...downloadRoute(path),
      path,
      summary: 'Download the translation file of one Experience',
      description:
        'Translate the `text` values, set `language.code`, and upload the file. `format` is `json` or `yaml`.',
      operation: 'download{Kind}Texts',
      parameters: ofOne,
      run: (ctx, { kind, id, ...options }) => downloadOne(ctx, readKind(kind), id, options),
    }),
  ),
  ...withFormats('/v3/edit/:kind/i18n').map((path) =>
    route({
      ...downloadRoute(path),
      path,
      summary: 'Download the translation file of all Experiences of a kind',
      operation: 'download{Kinds}Texts',
      parameters: ofKind,
      run: (ctx, { kind, ...options }) => downloadKind(ctx, readKind(kind), options),
    }),
  ),
  ...withFormats('/v3/edit/experiences/i18n').map((path) =>
    route({
      ...downloadRoute(path),
      path,
      summary: 'Download the translation file of some Experiences, or of all',
      description: '`experiences` names them by `kind` and `id`.',
      operation: 'downloadTexts',
      parameters: ofMix,
      run: (ctx, { experiences, ...options }) => downloadMix(ctx, experiences, options),
    }),
  ),
  route({
    methods: ['GET'],
    path: '/v3/edit/i18n',
    summary: 'Show how far the translation into each language is',
    operation: 'getTranslationProgress',
    output: OutputObject({ i18ns: Type.Array(TranslationProgress) }),
    run: async (ctx) => ({ i18ns: await showProgress(ctx) }),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/i18n',
    summary:
      'Upload translation files: a multipart form with `file`, or with several `files[]`; `dry_run` writes nothing',
    description:
      'Nothing of a file with a mistake is written; the others are. Users see the translations when the Experiences are published next.',
    operation: 'uploadTexts',
    permission: 'translate',
    takesFiles: true,
    parameters: Type.Object({ dry_run: Type.Unsafe<boolean>({ type: 'boolean', default: false }) }),
    output: OutputObject({ i18ns: Type.Array(UploadResult) }),
    run: async (ctx, { dry_run }, _items, files) => ({ i18ns: await uploadTranslations(ctx, files ?? [], dry_run) }),
  }),
];
