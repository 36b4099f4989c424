import {
  Email,
  GivenPassword,
  Link,
  LinkToken,
  NewPassword,
  Nullable,
  OutputObject,
  PersonName,
  SignedIn,
  Text,
} from '@usher/domain';
import Type from 'typebox';
import { openRoute } from '../../../http/route.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { checkLink } from './check-link.ts';
import { resetPassword } from './reset-password.ts';
import { setUp } from './set-up.ts';

const token = 'the-part-of-the-link-after-the-hash';
const who = { name: 'Ann Lee', email: 'ann@example.com', password: 'correct horse battery' };

/** A link holds a token that works once. The token is sent in the body, never in a URL. */
export const linkRoutes = [
  openRoute({
    methods: ['POST'],
    path: '/v3/links/check',
    summary: 'Show what a link is for, without using it',
    operation: 'checkLink',
    parameters: Type.Object({ token: LinkToken }),
    example: { token },
    errors: [404],
    output: OutputObject({ link: Link }),
    run: async ({ app }, params) => ({ link: await checkLink(app, params.token) }),
  }),
  openRoute({
    methods: ['POST'],
    path: '/v3/links/setup',
    summary: 'Set this server up with the link that its first start printed, and sign in',
    operation: 'setUpServer',
    parameters: Type.Object({
      token: LinkToken,
      name: PersonName,
      email: Email,
      password: NewPassword,
      product_name: Text('the name of your product'),
      domain: Type.Optional(Nullable(Text('the domain of your product, such as `app.example.com`'))),
    }),
    example: { token, ...who, product_name: 'Acme', domain: 'app.example.com' },
    errors: [404, 409],
    output: SignedIn,
    run: setUp,
  }),
  openRoute({
    methods: ['POST'],
    path: '/v3/links/accept',
    summary: 'Accept an invitation: as a new person, with email and password, or as the person who has signed in',
    operation: 'acceptInvitation',
    parameters: Type.Object({
      token: LinkToken,
      name: Type.Optional(PersonName),
      email: Type.Optional(Email),
      password: Type.Optional(GivenPassword),
    }),
    example: { token, ...who },
    errors: [401, 404, 409],
    output: SignedIn,
    run: acceptInvitation,
  }),
  openRoute({
    methods: ['POST'],
    path: '/v3/links/reset',
    summary: 'Choose a new password with a link; it ends all sessions, and signs in',
    operation: 'resetPassword',
    parameters: Type.Object({ token: LinkToken, password: NewPassword }),
    example: { token, password: who.password },
    errors: [404],
    output: SignedIn,
    run: resetPassword,
  }),
];
