import { useQuery } from '@tanstack/react-query';
import type { ResponseOf } from './api.ts';
import { query } from './queries.ts';

export type Installation = ResponseOf<'GET /v3/analyze/installation'>['installation'];
export type Entry = Installation['entries'][number];
export type Host = Installation['hosts'][number];

const POLL_MS = 2_000;

/** Loads what pages do, again and again while this page is visible. The request itself makes the server record it. */
export function useInstallation() {
  return useQuery({
    ...query('GET /v3/analyze/installation', { watch: true }),
    refetchInterval: POLL_MS,
    staleTime: 0,
  });
}

/** The address of the server: the one from the settings, or else the one that the browser uses. */
export function serverUrl({ server_url }: Pick<Installation, 'server_url'>): string {
  return isLocal(server_url) ? location.origin : server_url;
}

/** The address at which pages load the script. */
export function pageUrl({ page_url, server_url }: Pick<Installation, 'page_url' | 'server_url'>): string {
  const { origin, pathname } = new URL(page_url);
  // An address of its own is that of a proxy, which may run on this machine, too.
  if (origin !== new URL(server_url).origin) return page_url;
  return new URL(serverUrl({ server_url })).origin + pathname.replace(/\/$/, '');
}

/** Whether no other machine can reach this address. */
export function isLocal(url: string): boolean {
  const { hostname } = new URL(url);
  return /^(localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/.test(hostname) || hostname.endsWith('.localhost');
}
