import { GetNews, News, OutputObject, Timestamp } from '@usher/domain';
import { route } from '../../../http/route.ts';
import { leaveHomeNow } from './leave-home-now.ts';
import { listNews } from './list-news.ts';

export const newsRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/analyze/news',
    summary: 'List what changed since the administrator was on Home, where it changed by more than chance',
    description:
      'Without `since`, it begins with the last visit to Home. It always begins at least a day and at most 30 days ago. Test users are left out.',
    operation: 'listNews',
    parameters: GetNews,
    output: News,
    run: listNews,
  }),
  route({
    methods: ['POST'],
    path: '/v3/session/home_visits',
    summary: 'Report that the person leaves Home, so that the next news begin there',
    description: 'Who comes back within an hour is still on the same visit.',
    operation: 'leaveHome',
    forSession: true,
    permission: null,
    runsOnFullDisk: true,
    status: 200,
    output: OutputObject({ left_at: Timestamp }),
    run: (ctx) => leaveHomeNow(ctx),
  }),
];
