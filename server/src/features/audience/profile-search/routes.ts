import { FindPeople, FoundPeople } from '@usher/domain';
import { route } from '../../../http/route.ts';
import { findProfiles } from './find-profiles.ts';

export const profileSearchRoutes = [
  route({
    methods: ['GET', 'POST'],
    path: '/v3/edit/profiles/search',
    showsPeople: true,
    summary: 'Find people by uid, email, name, Company, Segment or filters',
    permission: 'read',
    parameters: FindPeople,
    example: { text: 'ann' },
    output: FoundPeople,
    run: findProfiles,
  }),
];
