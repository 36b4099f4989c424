import {
  type Document,
  type Experience,
  type ExperienceFields,
  type ExperienceKind,
  writeDocument,
} from '@usher/domain';
import type { Context } from '../../context.ts';
import { changeExperience } from './change-experience.ts';
import { presentExperience } from './present-experience.ts';

interface Update extends ExperienceFields {
  /** `+` and an ID adds it to the list, `-` and an ID removes it. */
  url_group_id?: string;
  tag_id?: string;
  updated_at?: number;
  autosave?: boolean;
}

export async function updateExperience(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  { url_group_id, tag_id, updated_at: seen, autosave, ...params }: Update,
): Promise<Experience> {
  const options = { seen, ...(autosave && { kind: 'partial' as const }) };
  const row = await changeExperience(ctx, kind, id, options, (document, problems, ctx) => {
    // An editor creates the IDs of new parts itself, so it can repeat a request whose response was lost. It can also undo the
    // removal of what was imported.
    const isEditor = autosave ?? false;
    const accepts = { acceptsIds: isEditor, acceptsForeign: isEditor };
    const written = writeDocument(kind, document, params, ctx.newId, problems, accepts);
    return addOrRemove(addOrRemove(written, 'url_group_ids', url_group_id), 'tag_ids', tag_id);
  });
  return presentExperience(ctx, row);
}

/** Adds an ID to a list of the document, or removes it: `+` or `-` and the ID. */
export function addOrRemove(
  document: Document,
  list: 'url_group_ids' | 'tag_ids',
  signed: string | undefined,
): Document {
  if (signed === undefined) return document;
  const id = signed.slice(1);
  const others = document[list].filter((other) => other !== id);
  if (signed.startsWith('+') && others.length < document[list].length) return document;
  return { ...document, [list]: signed.startsWith('+') ? [...others, id] : others };
}
