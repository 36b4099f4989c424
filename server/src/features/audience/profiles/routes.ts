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
    description:
      'The user is found by `id`, `uid` or `email`; only an unknown `uid` makes a new user. `company_id`, `company_uid` or `company` joins a Company. All other keys become custom properties; null removes one.',
    operation: 'sendProfile',
    parameters: ProfileInput,
    example: { ...byUid, email: 'ann@example.com', plan: 'pro', company: { uid: '931', name: 'Acme' } },
    output: OutputObject({ profile: OutputObject({ id: Id }) }),
    run: async (ctx, params) => ({ profile: await saveProfile(ctx, params, 'api') }),
  }),
  ...hook({
    path: 'profiles/batch',
    summary: 'Send many users',
    description:
      'Good items are stored even if others are bad: `errors` says which, by their `index`. With `on_model_missing=ignore`, unknown users are skipped. The body may have 16 MB.',
    operation: 'sendProfiles',
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
    description:
      'Newest first. `filters` and `segment_id` select; without them, all profiles are listed. A search that takes long can be 429 with `limit`: try again in a moment.',
    operation: 'listProfiles',
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
    description: 'Takes the same filters as the search. An account runs one count at a time.',
    operation: 'countProfiles',
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
    description: 'With all custom properties and the Company.',
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
    description: 'Give exactly one of the three.',
    operation: 'findProfile',
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
    description: 'Results leave out what test users do.',
    parameters: MarkProfile,
    example: { test: true },
    output: Marked,
    run: async (ctx, params) => ({ profile: await markProfile(ctx, params) }),
  }),
  route({
    methods: ['PUT', 'PATCH'],
    path: '/v3/edit/profiles',
    summary: 'Say whether a user is a test user, by its id, uid or email',
    description: 'Results leave out what test users do.',
    operation: 'updateFoundProfile',
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
    operation: 'countTestUsers',
    permission: 'read',
    output: OutputObject({ test_users: TestUsers }),
    run: async (ctx) => ({ test_users: await showTestUsers(ctx) }),
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/profiles/:id',
    summary: 'Clear a profile: as if the user had never been seen',
    description:
      'Deletes events, answers and interactions of the user, and pending Deliveries; `percent` is assigned again. `uid`, `email` and custom properties stay.',
    operation: 'clearProfile',
    parameters: FindProfile,
    output: OneProfile,
    run: async (ctx, params) => ({ profile: await clearProfile(ctx, params) }),
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/profiles',
    summary: 'Clear a profile by its uid',
    description:
      'Deletes events, answers and interactions of the user, and pending Deliveries. `uid`, `email` and custom properties stay.',
    operation: 'clearFoundProfile',
    parameters: FindProfile,
    example: byUid,
    output: OneProfile,
    run: async (ctx, params) => ({ profile: await clearProfile(ctx, params) }),
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/profiles/:id/forget',
    summary: 'Forget a user for good',
    description:
      'When the response arrives, nothing in the database mentions the user. The `deletion` proves it and holds only a keyed hash. This cannot be undone.',
    operation: 'forgetProfile',
    parameters: FindProfile,
    output: Forgotten,
    run: forgetProfile,
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/profiles/forget',
    summary: 'Forget a user for good, by its id, uid or email',
    description: 'When the response arrives, nothing in the database mentions the user. This cannot be undone.',
    operation: 'forgetFoundProfile',
    parameters: FindProfile,
    example: byUid,
    output: Forgotten,
    run: forgetProfile,
  }),
];
