import { type Capture, presentAppearance, timeOfId, toTimestamp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { etagOf } from '../../../http/etag.ts';
import { FileResponse } from '../../../http/file-response.ts';
import { buildPicture } from './picture.ts';
import { renderHtml } from './render-html.ts';
import { renderSvg } from './render-svg.ts';

/**
 * The drawing may load images and nothing else, no script can run, and a page has no origin. A capture never changes,
 * but the browser must revalidate it each time: after a person has signed out, no other person at that browser may see
 * it.
 */
const headers = {
  'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' https: data:",
  'cache-control': 'private, no-cache',
};

export async function showCapture(ctx: Context, id: string): Promise<Capture> {
  const row = await getCapture(ctx, id);
  const createdAt = toTimestamp(timeOfId(id));
  return {
    id,
    created_at: createdAt,
    updated_at: createdAt,
    experience_id: row.experience_id,
    model_id: row.model_id,
    look: presentAppearance(row.look),
  };
}

export async function drawCapture(ctx: Context, id: string, format: 'svg' | 'html'): Promise<FileResponse> {
  const { look } = await getCapture(ctx, id);
  const picture = buildPicture(look);
  const [type, drawing] = format === 'svg' ? ['image/svg+xml', renderSvg(picture)] : ['text/html', renderHtml(picture)];
  return new FileResponse(`${type}; charset=utf-8`, drawing, { headers: { ...headers, etag: etagOf(drawing) } });
}

async function getCapture(ctx: Context, id: string) {
  const row = await ctx.db
    .selectFrom('captures')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound('capture');
  return row;
}
