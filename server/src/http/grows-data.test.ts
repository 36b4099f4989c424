import { expect, it } from 'vitest';
import { pageRoutes, routes } from '../app.ts';
import { growsData } from './grows-data.ts';

/** Writes that are accepted when the disk is nearly full. Add a new endpoint here or to `rejected`. */
const going = [
  // These endpoints store nothing.
  'POST /',
  'POST /v3/analyze/identity_checks',
  'POST /v3/edit/debug_tokens',
  'POST /v3/observe/explanations',
  'POST /v3/observe/pages',
  'POST /v3/observe/shows',
  'POST /v3/observe/picks/content',
  'POST /v3/observe/picks/current',
  // These endpoints decide themselves what is stored: pages get a response in any case.
  'POST /v3/observe/events',
  'POST /v3/observe/visits',
  // Administrators sign in to free space, or to take back a password or a role that is in the wrong hands.
  'PATCH /v3/edit/admins/:id',
  'PATCH /v3/person',
  'PATCH /v3/session',
  'POST /v3/edit/account/uid_secret',
  'POST /v3/edit/webhooks/:id/rotate',
  'POST /v3/links/accept',
  'POST /v3/links/check',
  'POST /v3/links/reset',
  'POST /v3/links/setup',
  'POST /v3/session',
  'POST /v3/session/confirm',
  'POST /v3/session/home_visits',
  // These endpoints turn off what fills the disk: domains, webhooks, the recording of paths, a move.
  'PATCH /v3/edit/account',
  'PATCH /v3/edit/urls/:id',
  'PATCH /v3/edit/webhooks/:id',
  'POST /v3/edit/move/stop',
  // These endpoints change a row that exists.
  'POST /v3/edit/proposals/:id/reject',
  'POST /v3/observe/picks',
  'PATCH /v3/session/preferences',
  'POST /v3/observe/picks/end',
];

const rejected = [
  'PATCH /v3/edit/reports/:id',
  'POST /v3/edit/backups',
  'POST /v3/edit/interruptions/people',
  'POST /v3/edit/reports',
  'PATCH /v3/edit/:kind/:id',
  'PATCH /v3/edit/:kind/:id/steps/:part_id',
  'PATCH /v3/edit/:kind/:id/steps/:step_id/buttons/:button_id',
  'PATCH /v3/edit/:kind/:id/translations',
  'PATCH /v3/edit/alert_groups/:id',
  'PATCH /v3/edit/deliveries/:id',
  'PATCH /v3/edit/delivery/:id',
  'PATCH /v3/edit/event_names/:id',
  'PATCH /v3/edit/experiences/batch',
  'PATCH /v3/edit/experiences/order',
  'PATCH /v3/edit/experiments/:id',
  'PATCH /v3/edit/goals/:id',
  'PATCH /v3/edit/imports/:id',
  'PATCH /v3/edit/launchers/:id/items/:part_id',
  'PATCH /v3/edit/limit_groups/:id',
  'PATCH /v3/edit/pictures/:id',
  'PATCH /v3/edit/profiles',
  'PATCH /v3/edit/profiles/:id',
  'PATCH /v3/edit/properties/:id',
  'PATCH /v3/edit/proposals/:id',
  'PATCH /v3/edit/segments/:id',
  'PATCH /v3/edit/tags/:id',
  'PATCH /v3/edit/themes/:id',
  'PATCH /v3/edit/url_groups/:id',
  'PATCH /v3/edit/responses',
  'POST /v3/edit/:kind',
  'POST /v3/edit/:kind/:id/copy',
  'POST /v3/edit/:kind/:id/duplicate',
  'POST /v3/edit/:kind/:id/file',
  'POST /v3/edit/:kind/:id/import',
  'POST /v3/edit/:kind/:id/people',
  'POST /v3/edit/funnels/people',
  'POST /v3/edit/:kind/:id/proposals',
  'POST /v3/edit/:kind/:id/publish',
  'POST /v3/edit/:kind/:id/resume',
  'POST /v3/edit/:kind/:id/revert',
  'POST /v3/edit/:kind/:id/steps',
  'POST /v3/edit/:kind/:id/steps/:step_id/buttons',
  'POST /v3/edit/:kind/proposals',
  'POST /v3/edit/alert_groups',
  'POST /v3/edit/apply',
  'POST /v3/edit/deliveries',
  'POST /v3/edit/event_names',
  'POST /v3/edit/experiences/:id/editors',
  'POST /v3/edit/experiments',
  'POST /v3/edit/experiments/:id/end',
  'POST /v3/edit/experiments/:id/publish_winner',
  'POST /v3/edit/experiments/:id/start',
  'POST /v3/edit/experiments/:id/undo',
  'POST /v3/edit/files/upload',
  'POST /v3/edit/goals',
  'POST /v3/edit/i18n',
  'POST /v3/edit/invitations',
  'POST /v3/edit/imports',
  'POST /v3/edit/languages',
  'POST /v3/edit/launchers/:id/items',
  'POST /v3/edit/limit_groups',
  'POST /v3/edit/move',
  'POST /v3/edit/move/release',
  'POST /v3/edit/picks',
  'POST /v3/edit/picks/:id/sketch',
  'POST /v3/edit/pictures',
  'POST /v3/edit/pictures/:id/replace',
  'POST /v3/edit/properties',
  'POST /v3/edit/proposals/:id/approve',
  'POST /v3/edit/sample_data',
  'POST /v3/edit/secrets',
  'POST /v3/edit/segments',
  'POST /v3/edit/segments/:id/import',
  'POST /v3/edit/survey_links',
  'POST /v3/edit/tags',
  'POST /v3/edit/tags/bulk',
  'POST /v3/edit/themes',
  'POST /v3/edit/themes/:id/duplicate',
  'POST /v3/edit/themes/:id/import',
  'POST /v3/edit/themes/:id/resume',
  'POST /v3/edit/themes/:id/revert',
  'POST /v3/edit/url_groups',
  'POST /v3/edit/urls',
  'POST /v3/edit/urls/:id/move',
  'POST /v3/edit/urls/batch',
  'POST /v3/edit/webhooks',
  'POST /v3/edit/webhooks/:id/items/:item_id/retry',
  'POST /v3/edit/webhooks/:id/ping',
  'POST /v3/observe/hooks/companies',
  'POST /v3/observe/hooks/companies/batch',
  'POST /v3/observe/hooks/event',
  'POST /v3/observe/hooks/events',
  'POST /v3/observe/hooks/events/batch',
  'POST /v3/observe/hooks/profiles',
  'POST /v3/observe/hooks/profiles/batch',
  // The browser script keeps reports and sends them again.
  'POST /v3/observe/interactions',
  'POST /v3/observe/picks/looks',
  'POST /v3/observe/picks/result',
];

it('decides for every endpoint that writes whether it goes on when the disk is nearly full', () => {
  const found = { going: new Set<string>(), rejected: new Set<string>() };
  for (const route of [...routes, ...pageRoutes])
    for (const method of route.methods) {
      if (!['POST', 'PUT', 'PATCH'].includes(method) || route.permission === 'read') continue;
      // PUT does the same as PATCH, and the secret can be a part of the path.
      const name = `${method.replace('PUT', 'PATCH')} ${route.path.replace('/:account_secret', '')}`;
      found[growsData(route, method) ? 'rejected' : 'going'].add(name);
    }
  expect([...found.going].sort()).toEqual([...going].sort());
  expect([...found.rejected].sort()).toEqual([...rejected].sort());
});

it('lets reading and deleting go on', () => {
  for (const route of [...routes, ...pageRoutes])
    for (const method of route.methods)
      if (method === 'GET' || method === 'DELETE' || route.permission === 'read')
        expect([route.path, growsData(route, method)]).toEqual([route.path, false]);
});
