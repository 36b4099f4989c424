import {
  Cursor,
  Email,
  GivenPassword,
  Id,
  NewPassword,
  OutputObject,
  Person,
  PersonName,
  Preferences,
  pageParameters,
  Session,
  SignedIn,
  UpdatePreferences,
} from '@usher/domain';
import Type from 'typebox';
import { listPage } from '../../../db/pagination/list-page.ts';
import { openRoute, route } from '../../../http/route.ts';
import { confirmPassword } from './confirm-password.ts';
import { createSession } from './create-session.ts';
import { endOtherSessions, endSession } from './end-sessions.ts';
import { presentSession } from './present-session.ts';
import { openSessionsOf, sessionOf } from './queries.ts';
import { showSession } from './show-session.ts';
import { switchAccount } from './switch-account.ts';
import { updatePerson } from './update-person.ts';
import { updatePreferences } from './update-preferences.ts';

const OneSession = OutputObject({ session: Session });
/** The options of endpoints for a person who has signed in, whatever their role is. */
const mine = { forSession: true, permission: null, runsOnFullDisk: true } as const;

export const sessionRoutes = [
  openRoute({
    methods: ['POST'],
    path: '/v3/session',
    summary: 'Sign in: the response sets the cookie of a session',
    operation: 'signIn',
    parameters: Type.Object({ email: Email, password: GivenPassword }),
    example: { email: 'ann@example.com', password: 'correct horse battery' },
    output: SignedIn,
    run: createSession,
  }),
  route({
    ...mine,
    methods: ['GET'],
    path: '/v3/session',
    summary: 'Show who has signed in, in which account and with which permissions',
    output: SignedIn,
    run: showSession,
  }),
  route({
    ...mine,
    methods: ['PUT', 'PATCH'],
    path: '/v3/session',
    summary: 'Switch to another account of the person; the session gets a new cookie',
    operation: 'switchAccount',
    parameters: Type.Object({ account_id: Id }),
    example: { account_id: '5fb70dcbc39330000325a81a' },
    output: SignedIn,
    run: (ctx, { account_id }) => switchAccount(ctx, account_id),
  }),
  route({
    ...mine,
    methods: ['DELETE'],
    path: '/v3/session',
    summary: 'Sign out',
    operation: 'signOut',
    output: OneSession,
    run: (ctx) => endSession(ctx),
  }),
  route({
    ...mine,
    methods: ['POST'],
    path: '/v3/session/confirm',
    summary: 'Give the password again; for ten minutes it counts for what needs it, and the session gets a new cookie',
    operation: 'confirmPassword',
    parameters: Type.Object({ password: GivenPassword }),
    example: { password: 'correct horse battery' },
    output: OneSession,
    run: (ctx, { password }) => confirmPassword(ctx, password),
  }),
  route({
    ...mine,
    methods: ['PUT', 'PATCH'],
    path: '/v3/session/preferences',
    summary: 'Change what the administrator has chosen for the dashboard, such as saved views',
    parameters: UpdatePreferences,
    example: { views: [{ name: 'Live tours', search: '?kind=tour&state=live' }] },
    output: OutputObject({ preferences: Preferences }),
    run: updatePreferences,
  }),
  route({
    ...mine,
    methods: ['GET'],
    path: '/v3/sessions',
    summary: 'List the browsers in which the person has signed in',
    parameters: Type.Object(pageParameters),
    output: OutputObject({ sessions: Type.Array(Session), cursor: Cursor }),
    run: async (ctx, page) => {
      const { rows, cursor } = await listPage(openSessionsOf(ctx), page);
      const current = sessionOf(ctx).id;
      return { sessions: rows.map((row) => presentSession(row, ctx.now(), current)), cursor };
    },
  }),
  route({
    ...mine,
    methods: ['DELETE'],
    path: '/v3/sessions',
    summary: 'End all other sessions of the person',
    operation: 'endOtherSessions',
    output: OutputObject({ sessions: Type.Array(Session) }),
    run: async (ctx) => ({ sessions: await endOtherSessions(ctx) }),
  }),
  route({
    ...mine,
    methods: ['DELETE'],
    path: '/v3/sessions/:id',
    summary: 'End a session of the person',
    operation: 'endSession',
    output: OneSession,
    run: (ctx, { id }) => endSession(ctx, id),
  }),
  route({
    ...mine,
    methods: ['PUT', 'PATCH'],
    path: '/v3/person',
    summary: 'Change the name, email or password of the person; a new password ends all other sessions',
    parameters: Type.Object({
      name: Type.Optional(PersonName),
      email: Type.Optional(Email),
      password: Type.Optional(NewPassword),
      current_password: Type.Optional(GivenPassword),
    }),
    example: { name: 'Ann Lee' },
    errors: [409],
    output: OutputObject({ person: Person }),
    run: updatePerson,
  }),
];
