import {
  Cursor,
  EmbeddedProfile,
  expandCompanyParameter,
  expandParameter,
  FindProfile,
  filterParameters,
  Id,
  Nullable,
  OutputObject,
  Profile,
  ProfileInput,
  pageParameters,
} from '@usher/domain';
import Type from 'typebox';
import { BatchOutput, onModelMissing } from '../../../batches/run-batch.ts';
import { hook, route } from '../../../http/route.ts';
import { clearProfile } from './clear-profile.ts';
import { countProfiles } from './count-profiles.ts';
import { forgetProfile } from './forget-profile.ts';
import { markProfile } from './mark-profile.ts';
import { saveProfile } from './save-profile.ts';
import { saveProfileBatch } from './save-profile-batch.ts';
import { searchProfiles } from './search-profiles.ts';
import { showProfile } from './show-profile.ts';
import { showTestUsers, TestUsers } from './show-test-users.ts';

const MarkProfile = Type.Object({
  ...FindProfile.properties,
  /** Null lets the `test_emails` of the account decide. */
  test: Nullable(Type.Boolean()),
});
const Marked = OutputObject({
  profile: OutputObject({ id: Id, test: Nullable(Type.Boolean()), is_test: Type.Boolean() }),
});
const OneProfile = OutputObject({ profile: Profile });
const Forgotten = OutputObject({ profile: OutputObject({ id: Id }), deletion: OutputObject({ id: Id }) });
const queryParameters = { segment_id: Type.Optional(Id), ...filterParameters };
/** A single profile has all fields; `expand` says which fields of its Company it has. */
const Show = Type.Object({
  ...FindProfile.properties,
  expand: expandCompanyParameter('min'),
});
const byUid = { uid: '18821' };
const onProPlan = { filters: [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }] };

export const profileRoutes = [
  ...hook({
    path: 'profiles',
    summary: 'Send a user: made when its uid is new, changed otherwise',
    parameters: ProfileInput,
    example: { ...byUid, email: 'ann@example.com', plan: 'pro', company: { uid: '931', name: 'Acme' } },
    output: OutputObject({ profile: OutputObject({ id: Id }) }),
    run: async (ctx, params) => ({ profile: await saveProfile(ctx, params, 'api') }),
  }),
  ...hook({
    path: 'profiles/batch',
    summary: 'Send many users',
    parameters: Type.Object({ profiles: Type.Array(ProfileInput), on_model_missing: onModelMissing }),
    example: { profiles: [{ ...byUid, plan: 'pro' }] },
    batch: 'profiles',
    status: 202,
    output: BatchOutput,
    run: (ctx, { on_model_missing }, items) => saveProfileBatch(ctx, on_model_missing, items),
  }),
  route({
    methods: ['GET', 'POST'],
    path: '/v3/analyze/profiles',
    showsPeople: true,
    summary: 'Search profiles',
    permission: 'read',
    parameters: Type.Object({
      ...queryParameters,
      expand: expandParameter({ profile: 'all', company: 'min' }),
      ...pageParameters,
    }),
    example: onProPlan,
    output: OutputObject({ profiles: Type.Array(EmbeddedProfile), cursor: Cursor }),
    run: searchProfiles,
  }),
  route({
    methods: ['GET', 'POST'],
    path: '/v3/analyze/profiles/count',
    showsPeople: true,
    summary: 'Count profiles',
    permission: 'read',
    parameters: Type.Object({
      ...queryParameters,
      without_test_users: Type.Optional(Type.Boolean()),
      within_ms: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 10_000, description: 'milliseconds from 0 to 10000' }),
      ),
    }),
    example: onProPlan,
    output: OutputObject({
      count: Type.Integer(),
      is_complete: Type.Optional(Type.Boolean()),
      estimate: Type.Optional(Type.Integer()),
    }),
    run: (ctx, params) => countProfiles(ctx, params),
  }),
  route({
    methods: ['GET', 'POST'],
    path: '/v3/analyze/profiles/:id',
    showsPeople: true,
    summary: 'Show a profile',
    permission: 'read',
    parameters: Show,
    output: OneProfile,
    run: async (ctx, params) => ({ profile: await showProfile(ctx, params) }),
  }),
  route({
    methods: ['GET', 'POST'],
    path: '/v3/analyze/profile',
    showsPeople: true,
    summary: 'Show a profile by its id, uid or email',
    permission: 'read',
    parameters: Show,
    example: byUid,
    output: OneProfile,
    run: async (ctx, params) => ({ profile: await showProfile(ctx, params) }),
  }),
  route({
    methods: ['PUT', 'PATCH'],
    path: '/v3/edit/profiles/:id',
    summary: 'Say whether a user is a test user, whom no number counts',
    parameters: MarkProfile,
    example: { test: true },
    output: Marked,
    run: async (ctx, params) => ({ profile: await markProfile(ctx, params) }),
  }),
  route({
    methods: ['PUT', 'PATCH'],
    path: '/v3/edit/profiles',
    summary: 'Say whether a user is a test user, by its id, uid or email',
    parameters: MarkProfile,
    example: { ...byUid, test: true },
    output: Marked,
    run: async (ctx, params) => ({ profile: await markProfile(ctx, params) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/analyze/test_users',
    showsPeople: true,
    summary: 'Count the test users, and show the newest of them',
    permission: 'read',
    output: OutputObject({ test_users: TestUsers }),
    run: async (ctx) => ({ test_users: await showTestUsers(ctx) }),
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/profiles/:id',
    summary: 'Clear a profile: as if the user had never been seen',
    parameters: FindProfile,
    output: OneProfile,
    run: async (ctx, params) => ({ profile: await clearProfile(ctx, params) }),
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/profiles',
    summary: 'Clear a profile by its uid',
    parameters: FindProfile,
    example: byUid,
    output: OneProfile,
    run: async (ctx, params) => ({ profile: await clearProfile(ctx, params) }),
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/profiles/:id/forget',
    summary: 'Forget a user for good',
    parameters: FindProfile,
    output: Forgotten,
    run: forgetProfile,
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/profiles/forget',
    summary: 'Forget a user for good, by its id, uid or email',
    parameters: FindProfile,
    example: byUid,
    output: Forgotten,
    run: forgetProfile,
  }),
];
