import type { Context } from './context.ts';

/** The address of a record in the dashboard. */
export function dashboardUrl(ctx: Context, path: string, params: Record<string, string> = {}): string {
  const query = new URLSearchParams(params).toString();
  return `${ctx.app.publicUrl}/app/${path}${query && `?${query}`}`;
}
