import {
  ApproveProposal,
  ChangeSummary,
  Cursor,
  ListedProposal,
  Nullable,
  OneOf,
  OutputObject,
  Proposal,
  ProposeChange,
  ProposeExperience,
  PublishCheck,
  pageParameters,
  proposalStates,
  RejectProposal,
} from '@usher/domain';
import Type from 'typebox';
import { listPage } from '../../../db/pagination/list-page.ts';
import { route } from '../../../http/route.ts';
import { readKind } from '../kind.ts';
import { checkProposal } from './check-proposal.ts';
import { approveProposal, rejectProposal } from './decide-proposal.ts';
import { getProposal, presentProposal, presentProposals, proposalsOf } from './queries.ts';
import { proposeChange, proposeExperience, updateProposal } from './write-proposal.ts';

const OneProposal = OutputObject({ proposal: Proposal });
const example = {
  note: 'New users do not find the reports',
  name: 'Find the reports',
  steps: [{ title: 'Your reports', body: 'They are **here** now.', buttons: [{ text: 'Got it' }] }],
};

/** Drafts that wait until a person approves them. Only people who have signed in decide about them. */
export const proposalRoutes = [
  route({
    methods: ['POST'],
    path: '/v3/edit/:kind/proposals',
    operation: 'proposeNew{Kind}',
    summary: 'Propose a new Experience, which a person approves or rejects in the dashboard',
    permission: 'propose',
    parameters: ProposeExperience,
    example,
    status: 201,
    errors: [409],
    output: OneProposal,
    run: async (ctx, { kind, ...params }) => ({ proposal: await proposeExperience(ctx, readKind(kind), params) }),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/:kind/:id/proposals',
    operation: 'propose{Kind}Change',
    summary: 'Propose a change of an Experience, which leaves its draft as it is until a person approves it',
    permission: 'propose',
    parameters: ProposeChange,
    example: { note: 'Shorter', name: 'Welcome aboard' },
    status: 201,
    errors: [409],
    output: OneProposal,
    run: async (ctx, { kind, id, ...params }) => ({ proposal: await proposeChange(ctx, readKind(kind), id, params) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/proposals',
    summary: 'List proposals that wait, and what became of the others in the last 90 days',
    parameters: Type.Object({ ...pageParameters, state: Type.Optional(OneOf(proposalStates)) }),
    output: OutputObject({ proposals: Type.Array(ListedProposal), cursor: Cursor }),
    run: async (ctx, { state, ...page }) => {
      const all = proposalsOf(ctx);
      const { rows, cursor } = await listPage(state ? all.where('state', '=', state) : all, page);
      return { proposals: await presentProposals(ctx, rows), cursor };
    },
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/proposals/:id',
    summary: 'Show a proposal, and why it was rejected if it was',
    output: OneProposal,
    run: async (ctx, { id }) => ({ proposal: await presentProposal(ctx, await getProposal(ctx, id)) }),
  }),
  route({
    methods: ['PUT', 'PATCH'],
    path: '/v3/edit/proposals/:id',
    summary: 'Change a proposal of your own that waits',
    permission: 'propose',
    parameters: ProposeChange,
    example: { note: 'Even shorter' },
    errors: [409],
    output: OneProposal,
    run: async (ctx, { id, ...params }) => ({ proposal: await updateProposal(ctx, id, params) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/proposals/:id/publish_check',
    summary: 'Check what would happen if a proposal was published now, and how it differs from the draft',
    errors: [422],
    output: OutputObject({ publish_check: PublishCheck, draft_changes: Nullable(ChangeSummary) }),
    run: (ctx, { id }) => checkProposal(ctx, id),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/proposals/:id/approve',
    example: { updated_at: '2026-03-02T09:30:00.000Z' },
    summary: 'Make a proposal the draft and publish it; for people who have signed in',
    permission: 'edit',
    forSession: true,
    parameters: ApproveProposal,
    errors: [409],
    output: OneProposal,
    run: async (ctx, { id, ...params }) => ({ proposal: await approveProposal(ctx, id, params) }),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/proposals/:id/reject',
    example: { reason: 'The second step is too long' },
    summary: 'Discard a proposal and say why; for people who have signed in',
    permission: 'edit',
    forSession: true,
    runsOnFullDisk: true,
    parameters: RejectProposal,
    errors: [409],
    output: OneProposal,
    run: async (ctx, { id, reason }) => ({ proposal: await rejectProposal(ctx, id, reason) }),
  }),
];
