import { CreateInvitation, Cursor, Invitation, InvitationWithUrl, OutputObject, pageParameters } from '@usher/domain';
import Type from 'typebox';
import { listPage } from '../../../db/pagination/list-page.ts';
import { route } from '../../../http/route.ts';
import {
  createInvitation,
  deleteInvitation,
  invitationsOf,
  presentInvitations,
  showInvitation,
} from './invitations.ts';

export const invitationRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/edit/invitations',
    summary: 'List the invitations that nobody has accepted yet; for owners',
    permission: 'own',
    parameters: Type.Object(pageParameters),
    output: OutputObject({ invitations: Type.Array(Invitation), cursor: Cursor }),
    run: async (ctx, params) => {
      const { rows, cursor } = await listPage(invitationsOf(ctx), params);
      return { invitations: await presentInvitations(ctx, rows), cursor };
    },
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/invitations/:id',
    summary: 'Show an invitation that nobody has accepted yet; for owners',
    permission: 'own',
    output: OutputObject({ invitation: Invitation }),
    run: async (ctx, { id }) => ({ invitation: await showInvitation(ctx, id) }),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/invitations',
    summary: 'Invite somebody: the response shows a link that works once, for 7 days; for owners',
    permission: 'own',
    parameters: CreateInvitation,
    example: { role: 'viewer', note: 'for Ann from support' },
    status: 201,
    output: OutputObject({ invitation: InvitationWithUrl }),
    showsSecret: true,
    run: async (ctx, params) => ({ invitation: await createInvitation(ctx, params) }),
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/invitations/:id',
    summary: 'Withdraw an invitation; for owners',
    operation: 'withdrawInvitation',
    permission: 'own',
    output: OutputObject({ invitation: Invitation }),
    run: async (ctx, { id }) => ({ invitation: await deleteInvitation(ctx, id) }),
  }),
];
