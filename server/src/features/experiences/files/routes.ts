import { readFile } from 'node:fs/promises';
import { ChangeSummary, compileReader, Experience, Id, Nullable, OneOf, OutputObject, Text } from '@usher/domain';
import Type, { type Static } from 'typebox';
import { invalid } from '../../../errors.ts';
import { FileResponse } from '../../../http/file-response.ts';
import { type Route, route, type UploadedFile } from '../../../http/route.ts';
import { readKind } from '../kind.ts';
import { getExperience } from '../queries.ts';
import { applyActions, applyFiles } from './apply-files.ts';
import { listManagedRecords, ManagedRecord } from './managed-records.ts';
import { describeFiles, listRecordTypes, type RecordType } from './record-types.ts';
import { showFile, showFiles } from './show-files.ts';
import { uploadFile } from './upload-file.ts';

const Unnamed = Type.Record(Type.String(), Type.Unknown());
const anyObject = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', properties: {}, additionalProperties: true, description });
const partIds = Type.Optional(
  Type.Unsafe<Record<string, string>>({ ...anyObject('the IDs of its parts by their keys') }),
);
const fileName = Text('a folder and a name such as `tours/welcome`');
const recordId = Type.Unsafe<string>({ ...Id, description: 'the ID of its record' });

/** While files are stored, other writes of the account wait. */
const MAX_FILES = 5000;
const listOf = <T>(item: ReturnType<typeof Type.Object>, description: string) =>
  Type.Unsafe<T[]>({ ...Type.Array(item), description, maxItems: MAX_FILES });
const KnownFile = Type.Object({ id: recordId, file: fileName, parts: partIds });
const KnownFiles = Type.Object({
  known: Type.Optional(listOf<Static<typeof KnownFile>>(KnownFile, 'the files that you have')),
});
const FileToApply = Type.Object({
  ...{ file: fileName, id: Type.Optional(recordId), version: Type.Optional(Text('the version that you have seen')) },
  ...{ parts: partIds, content: anyObject('the fields of the file') },
});
const ApplyParameters = Type.Object({
  records: Type.Optional(listOf<Static<typeof FileToApply>>(FileToApply, 'a list of files')),
  missing: Type.Optional(
    Type.Unsafe<string[]>({ ...Type.Array(Type.String()), description: 'the IDs of records whose file was deleted' }),
  ),
  source: Type.Optional(Nullable(Text('the address of the folder in its repository', 1000))),
  publish: Type.Optional(Type.Boolean()),
  adopt: Type.Optional(Type.Boolean()),
  archive_missing: Type.Optional(Type.Boolean()),
  dry_run: Type.Optional(Type.Boolean()),
});

const AppliedRecord = OutputObject({
  ...{ file: Type.String(), id: Id, name: Type.String(), action: OneOf(applyActions), publishes: Type.Boolean() },
  ...{ version: Type.String(), parts: Unnamed, summary: Nullable(ChangeSummary) },
});
const OneExperience = OutputObject({ experience: Experience });
const File = OutputObject({
  ...{ file: Type.String(), id: Id, name: Type.String(), version: Type.String(), is_archived: Type.Boolean() },
  ...{ parts: Unnamed, content: Unnamed },
});

/** The endpoints for records as files. They know the other endpoints, because records are read and written by these. */
export function createFileRoutes(listRoutes: () => readonly Route[]): Route[] {
  let found: RecordType[] | undefined;
  const types = () => {
    found ??= listRecordTypes(listRoutes());
    return found;
  };
  return [
    route({
      methods: ['GET', 'POST'],
      path: '/v3/edit/files',
      summary: 'Show everything that can be kept as files: Experiences, Segments, themes and others',
      permission: 'read',
      parameters: KnownFiles,
      example: { known: [] },
      takesFiles: true,
      status: 200,
      output: OutputObject({ files: Type.Array(File), schemas: Unnamed }),
      run: async (ctx, params, _items, files = []) => {
        const { known = [] } = files.length > 0 ? await readJson(readKnown, files, ctx.now()) : params;
        const all = new Map(known.map(({ id, file, parts = {} }) => [id, { file, parts }]));
        return { files: await showFiles(ctx, types(), all), schemas: Object.fromEntries(describeFiles(types())) };
      },
    }),
    route({
      methods: ['GET'],
      path: '/v3/edit/files/managed',
      operation: 'listManagedFiles',
      summary: 'List the records that were applied from files',
      output: OutputObject({ managed: Type.Array(ManagedRecord) }),
      run: async (ctx) => ({ managed: await listManagedRecords(ctx) }),
    }),
    route({
      methods: ['POST'],
      path: '/v3/edit/apply',
      operation: 'applyFiles',
      summary: 'Store records as files have them: all of them, or none; with `dry_run`, only say what would change',
      parameters: ApplyParameters,
      example: { records: [{ file: 'tags/vip', content: { name: 'VIP' } }], dry_run: true },
      takesFiles: true,
      status: 200,
      errors: [404, 409],
      output: OutputObject({ records: Type.Array(AppliedRecord) }),
      run: async (ctx, params, _items, files = []) => {
        const sent = files.length > 0 ? await readJson(readApply, files, ctx.now()) : params;
        if (!sent.records?.length && !sent.missing?.length)
          throw invalid('`records` is required: give a list of files, or send them as a JSON file');
        const options = { ...params, ...sent };
        return { records: await applyFiles(ctx, types(), { ...options, records: sent.records ?? [] }) };
      },
    }),
    route({
      methods: ['GET'],
      path: '/v3/edit/:kind/:id/file',
      summary: 'Download an Experience as a file',
      output: Type.Unsafe<unknown>({}),
      run: async (ctx, { kind, id }) => {
        await getExperience(ctx, readKind(kind), id);
        const { name, text } = await showFile(ctx, types(), id);
        return new FileResponse('application/yaml; charset=utf-8', text, { name });
      },
    }),
    route({
      methods: ['POST'],
      path: '/v3/edit/:kind/:id/file',
      operation: 'replace{Kind}WithFile',
      summary: 'Replace the draft of an Experience with a file',
      takesFiles: true,
      status: 200,
      errors: [409],
      output: OneExperience,
      run: async (ctx, { kind, id }, _items, files = []) => {
        const row = await getExperience(ctx, readKind(kind), id);
        return { experience: await uploadFile(ctx, types(), files, row) };
      },
    }),
    route({
      methods: ['POST'],
      path: '/v3/edit/files/upload',
      operation: 'createExperienceFromFile',
      summary: 'Make an Experience from a file',
      takesFiles: true,
      status: 201,
      errors: [404, 409],
      output: OneExperience,
      run: async (ctx, _params, _items, files = []) => ({ experience: await uploadFile(ctx, types(), files) }),
    }),
  ];
}

type ApplyFile = Static<typeof ApplyParameters>;
const readApply = compileReader<ApplyFile>(ApplyParameters);
const readKnown = compileReader<Static<typeof KnownFiles>>(KnownFiles);

/** A request can have one MB, so larger folders come as a file. */
async function readJson<T>(
  read: ReturnType<typeof compileReader<T>>,
  files: readonly UploadedFile[],
  now: number,
): Promise<T> {
  const body = await parseJson(files);
  const reading = read(body, now, body as object);
  if ('problems' in reading) throw invalid(...reading.problems);
  return reading.value;
}

async function parseJson([file, another]: readonly UploadedFile[]): Promise<unknown> {
  if (!file || another) throw invalid('`file` is required: send one JSON file with `records`');
  try {
    return JSON.parse(await readFile(file.path, 'utf8'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw invalid('`file` must be JSON with `records`');
  }
}
