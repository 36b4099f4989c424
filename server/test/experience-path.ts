import type { CreatedAccount } from '../src/features/team/accounts/create-account.ts';
import type { Api } from './api.ts';

/** Returns the kind to call a path with: only launchers have items. */
export function kindFor(path: string): string {
  return path.includes('/items') ? 'launchers' : 'tours';
}

export function formatFor(path: string): string {
  if (path.includes('/captures/')) return 'svg';
  return /\/(days|responses|errors|people)\./.test(path) ? 'csv' : 'json';
}

/** Creates an Experience for a path that names one, and returns the parameters of the path. */
export async function makeExperienceFor(api: Api, path: string, as: CreatedAccount): Promise<Record<string, string>> {
  const kind = kindFor(path);
  const [part, list] = kind === 'launchers' ? ['items', { items: [{ title: 'Help', url: '/help' }] }] : ['steps', tour];
  const { body } = await api.post(`/v3/edit/${kind}`, { name: 'Made for a path', ...list }, { as });
  const [made] = Object.values(body) as { id: string; steps: { id: string; buttons: { id: string }[] }[] }[];
  const { id = '' } = made ?? {};
  const [first] =
    (made as unknown as Record<string, { id: string; buttons?: { id: string }[] }[]>)[part as string] ?? [];
  const inPath: Record<string, string> = {
    kind,
    id,
    format: formatFor(path),
    part_id: first?.id ?? '',
    step_id: first?.id ?? '',
  };
  inPath.button_id = first?.buttons?.[0]?.id ?? '';
  if (path.includes(':version_id')) {
    await api.patch(`/v3/edit/${kind}/${id}`, { published_at: '$now' }, { as });
    inPath.version_id = (await api.get(`/v3/edit/${kind}/${id}/versions`, { as })).body.versions[0].id;
  }
  if (path.endsWith('/resume'))
    for (const published_at of ['$now', null]) await api.patch(`/v3/edit/${kind}/${id}`, { published_at }, { as });
  return inPath;
}

const tour = { steps: [{ title: 'Hello', body: 'This is it.', buttons: [{ text: 'Next', tour_action: 'next' }] }] };

/** Returns the latest Change of an account, and creates an Experience if there is none. */
export async function someChange(api: Api, as: CreatedAccount): Promise<string> {
  const latest = async () => (await api.get('/v3/edit/changes', { as, query: 'limit=1' })).body.changes[0]?.id;
  const known = await latest();
  if (known) return known;
  await makeExperienceFor(api, '', as);
  return latest();
}

/** Publishes a new Experience and returns the ID of its version. */
export async function someVersion(api: Api, as: CreatedAccount): Promise<string> {
  return (await makeExperienceFor(api, ':version_id', as)).version_id ?? '';
}

/** Creates a step and returns the ID of its capture. */
export async function someCapture(api: Api, as: CreatedAccount): Promise<string> {
  const { id } = await makeExperienceFor(api, '', as);
  const { body } = await api.get(`/v3/edit/tours/${id}/changes`, { as, query: 'filter=title' });
  return body.changes[0].options.capture_id[1];
}
