import { Capture, Id, OneOf, OutputObject } from '@usher/domain';
import Type from 'typebox';
import { route } from '../../../http/route.ts';
import { drawCapture, showCapture } from './show-capture.ts';

export const captureRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/edit/captures/:id',
    summary: 'Show a capture: how a step or launcher looked',
    output: OutputObject({ capture: Capture }),
    run: async (ctx, { id }) => ({ capture: await showCapture(ctx, id) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/captures/:id.:format',
    summary: 'Draw a capture as `svg` or `html`',
    operation: 'drawCapture',
    parameters: Type.Object({ id: Id, format: OneOf(['svg', 'html']) }),
    output: Type.Unknown(),
    mediaTypes: ['image/svg+xml', 'text/html'],
    errors: [422],
    run: (ctx, { id, format }) => drawCapture(ctx, id, format),
  }),
];
