import { OutputObject, SurveyLinks, SurveyLinksInput } from '@usher/domain';
import { route } from '../../../http/route.ts';
import { createLinks } from './create-links.ts';

export const surveyPageRoutes = [
  route({
    methods: ['POST'],
    path: '/v3/edit/survey_links',
    summary: 'Sign links to the public page of a survey, one for each user',
    description:
      'What is answered by a link belongs to its user. A user answers once for each `link_id`; without one, once for each link. Nothing is stored, so a link cannot be listed or revoked: it ends with `expires_at`, by default after 90 days.',
    parameters: SurveyLinksInput,
    example: { survey_id: '5fb70dcbc39330000325a817', uids: ['18821'], link_id: 'nps-2029-q2', expires_at: '+30d' },
    showsSecret: true,
    output: OutputObject({ survey_links: SurveyLinks }),
    run: async (ctx, params) => ({ survey_links: await createLinks(ctx, params) }),
  }),
];
