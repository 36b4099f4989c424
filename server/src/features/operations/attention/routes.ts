import { AttentionEntry, OutputObject } from '@usher/domain';
import Type from 'typebox';
import { route } from '../../../http/route.ts';
import { listAttention } from './list-attention.ts';

export const attentionRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/analyze/attention',
    summary:
      'List what needs attention: failing targets, Experiences that show nowhere or that an alert group is about, failing webhooks, secrets that expire, proposals that wait, quotas that are reached, a full disk',
    operation: 'listAttention',
    output: OutputObject({ attention: Type.Array(AttentionEntry) }),
    run: async (ctx) => ({ attention: await listAttention(ctx) }),
  }),
];
