import type { FetchQueryOptions } from '@tanstack/react-query';
import {
  Building,
  Building2,
  ChartPie,
  Code,
  ContactRound,
  Gauge,
  Globe,
  HeartPulse,
  House,
  KeyRound,
  Languages,
  type LucideIcon,
  MonitorSmartphone,
  ScrollText,
  Send,
  Settings,
  Sparkles,
  UserRound,
  Users,
  Webhook,
} from 'lucide-react';
import type { ComponentType } from 'react';
import { domainsQuery, placesQuery } from './api/domains.ts';
import { query } from './api/queries.ts';
import type { Permission } from './api/session.ts';
import * as text from './messages/text.ts';
import { homeQueries } from './pages/home/home-queries.ts';

/** One address of the dashboard. Its page is a file of its own, which is loaded when it is needed. */
export interface AppRoute {
  /** Such as `/app/experiences/:id/:tab?`. What ends with `?` may be missing, and names a tab of the same page. */
  path: string;
  title: string;
  icon: LucideIcon;
  load: () => Promise<{ default: ComponentType<{ params: Record<string, string> }> }>;
  /** What the page reads first. It is loaded together with the page, and before that when a link to it is hovered. */
  // biome-ignore lint/suspicious/noExplicitAny: each query has its own type
  queries?: () => FetchQueryOptions<any, any, any, any>[];
  /** The guide about it below `docs/`, maybe with `#` and a heading, or one for each tab. */
  guide: string | Record<string, string>;
  /** Where it is listed: in the rail, or among the settings under a heading. */
  place?: 'rail' | { settings: string };
  /** The keys that go there, such as `g h`. */
  keys?: string;
  /** Who may not do this does not see the page. */
  permission?: Permission;
  /** Translators see it: they have Languages and what is their own. `tab`: only the tab "Languages" of it. */
  forTranslators?: true | 'tab';
  /** The address that marks an entry of the rail as current, if it is not only its own. */
  covers?: string;
  /** It uses the whole width of the window. */
  isWide?: boolean;
}

/** Every page of somebody who has signed in, in the order of the rail. */
export const routes: readonly AppRoute[] = [
  {
    path: '/app',
    title: text.titles.home,
    icon: House,
    guide: 'guides/home',
    load: () => import('./pages/home/home-page.tsx'),
    queries: () => homeQueries,
    place: 'rail',
    keys: 'g h',
  },
  {
    path: '/app/experiences',
    title: text.titles.experiences,
    icon: Sparkles,
    guide: 'guides/home#find-and-order-experiences',
    load: () => import('./pages/experiences/experiences-page.tsx'),
    place: 'rail',
    keys: 'g e',
  },
  {
    path: '/app/experiences/:id/:tab?',
    title: text.titles.experience,
    icon: Sparkles,
    guide: {
      '': 'guides/edit',
      targeting: 'guides/why-does-a-user-not-see-it#in-the-dashboard',
      languages: 'guides/translate#texts-of-an-experience',
      history: 'guides/edit#history',
      results: 'guides/results',
    },
    load: () => import('./pages/experiences/experience-page.tsx'),
    isWide: true,
    forTranslators: 'tab',
  },
  {
    path: '/app/segments',
    title: text.titles.segments,
    icon: ChartPie,
    guide: 'guides/people#segments',
    load: () => import('./pages/segments/segments-page.tsx'),
    place: 'rail',
    keys: 'g m',
    covers: '/app/segments/',
  },
  {
    path: '/app/segments/:id',
    title: text.titles.segment,
    icon: ChartPie,
    guide: 'guides/people#segments',
    load: () => import('./pages/segments/segment-page.tsx'),
  },
  {
    path: '/app/people',
    title: text.titles.people,
    icon: ContactRound,
    guide: 'guides/people',
    load: () => import('./pages/people/people-page.tsx'),
    place: 'rail',
    keys: 'g p',
    permission: 'read',
  },
  {
    path: '/app/people/:id/:tab?',
    title: text.titles.person,
    icon: ContactRound,
    guide: { '': 'guides/people#one-person', queue: 'guides/why-does-a-user-not-see-it#see-what-a-person-sees-next' },
    load: () => import('./pages/person/person-page.tsx'),
  },
  {
    path: '/app/companies',
    title: text.titles.companies,
    icon: Building,
    guide: 'guides/people#companies',
    load: () => import('./pages/companies/companies-page.tsx'),
    place: 'rail',
    keys: 'g c',
    permission: 'read',
  },
  {
    path: '/app/companies/:id',
    title: text.titles.company,
    icon: Building,
    guide: 'guides/people#companies',
    load: () => import('./pages/companies/company-page.tsx'),
    permission: 'read',
  },
  {
    path: '/app/deliveries',
    title: text.titles.deliveries,
    icon: Send,
    guide: 'guides/trigger-an-experience#in-the-dashboard',
    load: () => import('./pages/deliveries/deliveries-page.tsx'),
    place: 'rail',
    keys: 'g q',
    permission: 'read',
  },
  {
    path: '/app/languages',
    title: text.titles.languages,
    icon: Languages,
    guide: 'guides/translate#in-the-dashboard',
    load: () => import('./pages/languages/languages-page.tsx'),
    queries: () => [query('GET /v3/edit/languages', { limit: 500 }), query('GET /v3/edit/i18n')],
    place: 'rail',
    keys: 'g l',
    forTranslators: true,
  },
  {
    path: '/app/domains',
    title: text.titles.domains,
    icon: Globe,
    guide: 'guides/domains-and-environments',
    load: () => import('./pages/domains/domains-page.tsx'),
    queries: () => [domainsQuery, placesQuery],
    place: 'rail',
    keys: 'g d',
  },
  {
    path: '/app/settings',
    title: text.settings.title,
    icon: Settings,
    guide: 'guides/team-and-sign-in',
    load: () => import('./pages/settings/settings-page.tsx'),
    forTranslators: true,
    place: 'rail',
    keys: 'g s',
    covers: '/app/settings/',
  },
  {
    path: '/app/settings/account',
    title: text.titles.account,
    icon: Building2,
    guide: 'api#the-account',
    load: () => import('./pages/settings/account-page.tsx'),
    queries: () => [query('GET /v3/edit/account')],
    place: { settings: text.settings.sections.product },
  },
  {
    path: '/app/settings/install',
    title: text.titles.install,
    icon: Code,
    guide: 'guides/install-the-snippet',
    load: () => import('./pages/install/install-page.tsx'),
    place: { settings: text.settings.sections.product },
  },
  {
    path: '/app/settings/languages',
    title: text.titles.languages,
    icon: Languages,
    guide: 'guides/translate#in-the-dashboard',
    load: () => import('./pages/languages/moved-page.tsx'),
    forTranslators: true,
  },
  {
    path: '/app/settings/limits',
    title: text.titles.limits,
    icon: Gauge,
    guide: 'guides/why-does-a-user-not-see-it#limits',
    load: () => import('./pages/settings/limits-page.tsx'),
    queries: () => [query('GET /v3/edit/limit_groups', { limit: 500 })],
    place: { settings: text.settings.sections.product },
  },
  {
    path: '/app/settings/webhooks',
    title: text.titles.webhooks,
    icon: Webhook,
    guide: 'guides/receive-webhooks',
    load: () => import('./pages/webhooks/webhooks-page.tsx'),
    queries: () => [query('GET /v3/edit/webhooks')],
    place: { settings: text.settings.sections.connections },
  },
  {
    path: '/app/settings/webhooks/:id',
    title: text.titles.webhook,
    icon: Webhook,
    guide: 'guides/receive-webhooks',
    load: () => import('./pages/webhooks/webhook-page.tsx'),
  },
  {
    path: '/app/settings/team',
    title: text.titles.team,
    icon: Users,
    guide: 'guides/team-and-sign-in',
    load: () => import('./pages/team/team-page.tsx'),
    queries: () => [
      query('GET /v3/edit/admins', { limit: 500 }),
      query('GET /v3/edit/invitations', { limit: 500 }),
      query('GET /v3/edit/account'),
    ],
    place: { settings: text.settings.sections.people },
    permission: 'own',
  },
  {
    path: '/app/settings/audit-log',
    title: text.titles.auditLog,
    icon: ScrollText,
    guide: 'guides/team-and-sign-in#the-audit-log',
    load: () => import('./pages/audit-log/audit-log-page.tsx'),
    place: { settings: text.settings.sections.people },
    permission: 'own',
  },
  {
    path: '/app/settings/secrets',
    title: text.titles.secrets,
    icon: KeyRound,
    guide: 'guides/team-and-sign-in#secrets-for-programs',
    load: () => import('./pages/secrets/secrets-page.tsx'),
    queries: () => [query('GET /v3/edit/secrets', { limit: 500 })],
    place: { settings: text.settings.sections.connections },
    permission: 'own',
  },
  {
    path: '/app/settings/health',
    title: text.titles.health,
    icon: HeartPulse,
    guide: 'doctor',
    load: () => import('./pages/settings/health-page.tsx'),
    queries: () => [query('GET /v3/analyze/health')],
    permission: 'own',
    place: { settings: text.settings.sections.server },
  },
  {
    path: '/app/settings/profile',
    title: text.profile.title,
    icon: UserRound,
    guide: 'guides/team-and-sign-in',
    load: () => import('./pages/settings/profile-page.tsx'),
    forTranslators: true,
    place: { settings: text.settings.sections.you },
  },
  {
    path: '/app/settings/devices',
    title: text.devices.title,
    icon: MonitorSmartphone,
    guide: 'guides/team-and-sign-in#sessions',
    load: () => import('./pages/settings/devices-page.tsx'),
    forTranslators: true,
    queries: () => [query('GET /v3/sessions')],
    place: { settings: text.settings.sections.you },
  },
];

/** Pages without the frame, for people who have not signed in or come with a link. */
export const plainRoutes: readonly Pick<AppRoute, 'path' | 'title' | 'load'>[] = [
  { path: '/app/setup', title: text.setup.title, load: () => import('./pages/sign-in/setup-page.tsx') },
  { path: '/app/join', title: text.join.title(''), load: () => import('./pages/sign-in/join-page.tsx') },
  { path: '/app/reset', title: text.reset.title, load: () => import('./pages/sign-in/reset-page.tsx') },
  ...(__HAS_PARTS_PAGE__
    ? [
        { path: '/app/_ui', title: 'Design system', load: () => import('./pages/parts/parts-page.tsx') },
        { path: '/app/_preview', title: 'Preview', load: () => import('./pages/parts/preview/preview-page.tsx') },
      ]
    : []),
];

export const signInRoute: Pick<AppRoute, 'path' | 'title' | 'load'> = {
  path: '/',
  title: text.signIn.title,
  load: () => import('./pages/sign-in/sign-in-page.tsx'),
};
