import { toTimestamp } from '@usher/domain';
import type { AppContext } from '../../context.ts';
import { ApiError } from '../../errors.ts';
import { findPerson } from '../people/queries.ts';
import { insertLink, linkUrl } from './queries.ts';

/** From the command line: creates a link by which a person chooses a password. It is shown here and never again. */
export async function createResetLink(
  app: AppContext,
  email: string,
): Promise<{ email: string; url: string; expires_at: string }> {
  return app.storage.write(null, async (db) => {
    const person = await findPerson(db, email);
    if (!person) throw new ApiError(404, [`Nobody has the email ${email}: \`usher admin list\` shows who there is`]);
    const { row, token } = await insertLink(app, db, { kind: 'reset', person_id: person.id });
    const url = linkUrl(app.publicUrl, 'reset', token);
    return { email: person.email, url, expires_at: toTimestamp(row.expires_at) };
  });
}
