import { OutputObject, PersonDetails } from '@usher/domain';
import { route } from '../../../http/route.ts';
import { showPerson } from './show-person.ts';

export const profileDetailsRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/edit/profiles/:id',
    showsPeople: true,
    summary: 'Show a person: properties with when and by whom they were sent, Company, pending Deliveries',
    operation: 'getPerson',
    output: OutputObject({ profile: PersonDetails }),
    run: async (ctx, { id }) => ({ profile: await showPerson(ctx, id) }),
  }),
];
