import {
  type Document,
  type DroppedReference,
  duplicateDocument,
  type Experience,
  type ExperienceKind,
  hasPermission,
} from '@usher/domain';
import type { Context } from '../../context.ts';
import { createContext } from '../../create-context.ts';
import { ApiError, forbidden } from '../../errors.ts';
import { listMemberships } from '../team/persons/queries.ts';
import { sessionOf } from '../team/sessions/queries.ts';
import { loadStored, type StoredTranslations } from '../translations/languages/load-texts.ts';
import { lockLanguages } from '../translations/languages/queries.ts';
import { storeTexts } from '../translations/languages/store-texts.ts';
import { recordChangeGroups } from './changes/record-changes.ts';
import { dropReferences } from './drop-references.ts';
import { replaceIds } from './duplicate-experience.ts';
import { copyPictures } from './picture-files/copy-pictures.ts';
import { presentExperience } from './present-experience.ts';
import { getExperience } from './queries.ts';
import { insertExperience } from './store-drafts.ts';

interface Copied {
  experience: Experience;
  dropped: DroppedReference[];
}

/**
 * Creates a draft with the same content in another account of the person. References to records that the other account
 * does not have are dropped.
 */
export async function copyExperience(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  accountId: string,
): Promise<Copied> {
  const original = await getExperience(ctx, kind, id);
  const translations = (await loadStored(ctx, [id])).get(id) ?? {};
  const there = await enterAccount(ctx, accountId);
  const { document, dropped } = await dropReferences(ctx, there, original.draft);
  const copied = await copyPictures(ctx, there, { document, translations });
  const { row, missing } = await there.transaction((there) =>
    insertCopy(there, id, copied.document, copied.translations),
  );
  const languages = missing.map((code): DroppedReference => ({ type: 'language', id: code, name: code }));
  return { experience: await presentExperience(there, row), dropped: [...dropped, ...languages] };
}

/** The context of the same person in another account. */
async function enterAccount(ctx: Context, accountId: string): Promise<Context> {
  const session = sessionOf(ctx);
  const memberships = await listMemberships(ctx.db, session.personId);
  const chosen = memberships.find(({ id }) => id === accountId);
  if (!chosen) throw new ApiError(404, ['You are in no account with this ID: `accounts` lists yours']);
  if (!hasPermission({ role: chosen.role }, 'edit'))
    throw forbidden(`In that account you are a ${chosen.role}, who may not create Experiences: ask an owner`);
  const caller = { account: { id: chosen.id }, actor: { id: chosen.admin_id, role: chosen.role, session } };
  return createContext(ctx.app, caller, ctx.request);
}

async function insertCopy(ctx: Context, originalId: string, source: Document, translations: StoredTranslations) {
  const languages = await lockLanguages(ctx);
  const { document, ids } = duplicateDocument(source, ctx.newId);
  const row = await insertExperience(ctx, {
    ...document,
    position: 0,
    published_at: null,
    published_until: null,
    archived_at: null,
  });
  ids.set(originalId, row.id);
  const known = Object.entries(translations).filter(([code]) => languages.has(code));
  for (const [language, { texts, sources }] of known) {
    const copied = [{ row, before: {}, after: replaceIds(texts, ids), sources: replaceIds(sources, ids) }];
    await recordChangeGroups(ctx, await storeTexts(ctx, language, copied));
  }
  return { row, missing: Object.keys(translations).filter((code) => !languages.has(code)) };
}
