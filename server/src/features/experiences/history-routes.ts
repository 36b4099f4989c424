import { Change, ChangeSummary, Cursor, Experience, Id, OutputObject, pageParameters, Text, Time } from '@usher/domain';
import Type from 'typebox';
import { route } from '../../http/route.ts';
import { changeFilterParameters, listChanges } from './changes/list-changes.ts';
import { diffDraft, publishDraft } from './diff-draft.ts';
import { findHistory } from './find-history.ts';
import { readKind } from './kind.ts';
import { revertExperience } from './revert-experience.ts';
import { compareVersions, summarizeChanges } from './summarize-changes.ts';
import { listVersions, showVersion, Version, VersionInFull } from './versions.ts';

/** The Changes and the versions of one Experience. */
export const historyRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/edit/:kind/:id/changes',
    summary: 'List what was changed in an Experience, also when it is deleted',
    parameters: Type.Object({ ...pageParameters, ...changeFilterParameters }),
    output: OutputObject({ changes: Type.Array(Change), cursor: Cursor }),
    run: async (ctx, { kind, id, ...params }) => {
      await findHistory(ctx, readKind(kind), id);
      return listChanges(ctx, params, id);
    },
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/:kind/:id/changes/summary',
    summary: 'Sum up what changed in an Experience since it was last published',
    description: 'Without a published version, it sums up everything since it was made.',
    operation: 'summarize{Kind}Changes',
    output: ChangeSummary,
    run: (ctx, { kind, id }) => summarizeChanges(ctx, readKind(kind), id),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/:kind/:id/diff',
    summary: 'Show what publishing the draft would change for users, with a hash for `publish`',
    output: OutputObject({ diff: OutputObject({ hash: Type.String(), summary: ChangeSummary }) }),
    run: async (ctx, { kind, id }) => ({ diff: await diffDraft(ctx, readKind(kind), id) }),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/:kind/:id/publish',
    summary: 'Publish the draft as it was in a diff; one that has changed since is not published',
    parameters: Type.Object({ hash: Text('the `hash` of the diff', 64), published_at: Type.Optional(Time) }),
    example: { hash: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae' },
    errors: [409],
    output: Type.Record(Type.String(), Experience),
    run: async (ctx, { kind: path, id, ...params }) => {
      const kind = readKind(path);
      return { [kind]: await publishDraft(ctx, kind, id, params) };
    },
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/:kind/:id/revert',
    summary: 'Return an Experience to how it was after a Change, or in a version',
    description: 'The draft changes, not what users see. Give `change_id` or `version_id`.',
    parameters: Type.Object({ change_id: Type.Optional(Id), version_id: Type.Optional(Id) }),
    example: { change_id: '6af9638628e00002f7b4f708' },
    output: Type.Record(Type.String(), Experience),
    run: async (ctx, { kind: path, id, ...to }) => {
      const kind = readKind(path);
      return { [kind]: await revertExperience(ctx, kind, id, to) };
    },
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/:kind/:id/versions',
    summary: 'List what was published of an Experience',
    parameters: Type.Object(pageParameters),
    output: OutputObject({ versions: Type.Array(Version), cursor: Cursor }),
    run: (ctx, { kind, id, ...page }) => listVersions(ctx, readKind(kind), id, page),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/:kind/:id/versions/:version_id',
    summary: 'Show a published version with its content',
    output: OutputObject({ version: VersionInFull }),
    run: async (ctx, { kind, id, version_id }) => ({ version: await showVersion(ctx, readKind(kind), id, version_id) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/:kind/:id/versions/:version_id/summary',
    summary: 'Sum up what differs between a published version and a later one, or the draft',
    operation: 'summarize{Kind}Version',
    parameters: Type.Object({
      until: Type.Optional(
        Type.Unsafe<string>({ ...Id, description: 'the ID of another version; otherwise the draft' }),
      ),
    }),
    output: ChangeSummary,
    run: (ctx, { kind, id, version_id, until }) => compareVersions(ctx, readKind(kind), id, version_id, until),
  }),
];
