import {
  addOrRemove,
  DroppedReference,
  Experience,
  ExperienceUses,
  experienceKinds,
  Id,
  ListedExperience,
  listTemplates,
  Nullable,
  OneOf,
  OpenEditor,
  OutputObject,
  TemplateOutput,
  Time,
} from '@usher/domain';
import Type from 'typebox';
import { route } from '../../http/route.ts';
import { copyExperience } from './copy-experience.ts';
import { AuthoringGuide, describeAuthoring } from './describe-authoring.ts';
import { readKind } from './kind.ts';
import { listUses } from './list-uses.ts';
import { moveExperience } from './move-experience.ts';
import { reportOpenEditor } from './report-open-editor.ts';
import { resumeExperience } from './resume-experience.ts';
import { updateExperiences } from './update-experiences.ts';

const MAX_BATCH = 500;
const someId = '5fb70dcbc39330000325a817';
const idOf = (what: string) => Type.Unsafe<string>({ ...Id, description: `the ID of ${what}` });

/** The endpoints for what administrators do with Experiences in a list. */
export const listRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/edit/authoring_guide',
    summary: 'Show how to write an Experience of a kind: what is good to know, and its fields',
    parameters: Type.Object({ kind: OneOf(experienceKinds) }),
    example: { kind: experienceKinds[0] },
    output: OutputObject({ authoring_guide: AuthoringGuide }),
    run: async (_ctx, { kind }) => ({ authoring_guide: describeAuthoring(kind) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/templates',
    summary: 'List the templates for new Experiences',
    output: OutputObject({ templates: Type.Array(TemplateOutput) }),
    run: async () => ({
      templates: listTemplates().map(({ modelId, ...template }) => ({ ...template, model_id: modelId })),
    }),
  }),
  route({
    methods: ['PUT', 'PATCH'],
    path: '/v3/edit/experiences/batch',
    summary: 'Tag, archive or restore several Experiences together',
    operation: 'updateExperiences',
    parameters: Type.Object({
      ids: Type.Unsafe<string[]>({
        ...Type.Array(idOf('an Experience')),
        minItems: 1,
        maxItems: MAX_BATCH,
        description: 'a list of IDs',
      }),
      tag_id: addOrRemove('a Tag'),
      archived_at: Type.Optional(Nullable(Time)),
    }),
    example: { ids: [someId], archived_at: '$now' },
    output: OutputObject({ experiences: Type.Array(ListedExperience) }),
    run: async (ctx, params) => ({ experiences: await updateExperiences(ctx, params) }),
  }),
  route({
    methods: ['PUT', 'PATCH'],
    path: '/v3/edit/experiences/order',
    summary: 'Move an Experience in the order of priority',
    description: 'Of several Experiences that could show, the first in this order does.',
    operation: 'moveExperience',
    parameters: Type.Object({
      id: idOf('the Experience to move'),
      before_id: Type.Optional(idOf('the Experience that comes after it')),
      after_id: Type.Optional(idOf('the Experience that comes before it')),
    }),
    example: { id: someId, before_id: '5fb70dcbc39330000325a818' },
    errors: [409],
    output: OutputObject({ experience: ListedExperience }),
    run: async (ctx, params) => ({ experience: await moveExperience(ctx, params) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/:kind/:id/uses',
    summary: 'Show what starts an Experience, names it or waits for it',
    output: OutputObject({ uses: ExperienceUses }),
    run: async (ctx, { kind: path, id }) => ({ uses: await listUses(ctx, readKind(path), id) }),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/:kind/:id/copy',
    summary: 'Copy an Experience to another account',
    operation: 'copy{Kind}ToAccount',
    forSession: true,
    parameters: Type.Object({ account_id: idOf('an account that you are in') }),
    example: { account_id: someId },
    status: 201,
    output: OutputObject({ experience: Experience, dropped: Type.Array(DroppedReference) }),
    run: async (ctx, { kind: path, id, account_id }) => copyExperience(ctx, readKind(path), id, account_id),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/experiences/:id/editors',
    summary: 'Report that you have an Experience open in the editor, and list who else has',
    operation: 'reportEditor',
    forSession: true,
    parameters: Type.Object({ open: Type.Optional(Type.Boolean({ description: 'false when you leave it' })) }),
    status: 200,
    output: OutputObject({ editors: Type.Array(OpenEditor) }),
    run: async (ctx, { id, open }) => ({ editors: await reportOpenEditor(ctx, id, open ?? true) }),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/:kind/:id/resume',
    summary: 'Publish again what users saw before an Experience was unpublished',
    status: 200,
    errors: [409],
    output: Type.Record(Type.String(), Experience),
    run: async (ctx, { kind: path, id }) => {
      const kind = readKind(path);
      return { [kind]: await resumeExperience(ctx, kind, id) };
    },
  }),
];
