import { type Document, kinds, MAX_TAGS, type TagsUpdate, type UpdatedTags, type UpdateTags } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { ApiError, invalid } from '../../../errors.ts';
import { type ExperienceRow, experiencesOf } from '../queries.ts';
import { storeDrafts } from '../store-drafts.ts';
import { presentTags } from '../tag-records/present-tag.ts';
import { tagsOf } from '../tag-records/queries.ts';
import { addOrRemove } from '../update-experience.ts';
import { ensureTags } from './ensure-tags.ts';
import { toTagUid } from './tag-uid.ts';

/** Applies all of these updates in their order, or none if one is wrong. Tags that are added by a new name are created. */
export async function updateTags(ctx: Context, { updates }: UpdateTags): Promise<UpdatedTags> {
  const wanted = updates.map(readUpdate);
  const stored = await ctx.transaction(async (ctx) => {
    const rows = await lockModels(ctx, updates);
    const added = wanted.flatMap(({ names }) => names.filter(({ sign }) => sign === '+'));
    const others = wanted.flatMap(({ names }) => names.filter(({ sign }) => sign === '-'));
    const idOf = await ensureTags(ctx, { added, others });
    const drafts = new Map([...rows].map(([id, { draft }]) => [id, draft]));
    for (const [at, { modelId, signedIds, names, replacesAll }] of wanted.entries()) {
      let draft = drafts.get(modelId) as Document;
      if (replacesAll) draft = { ...draft, tag_ids: [] };
      for (const { sign, uid } of names) draft = addOrRemove(draft, 'tag_ids', signed(sign, idOf(uid)));
      for (const signedId of signedIds) draft = addOrRemove(draft, 'tag_ids', signedId);
      if (draft.tag_ids.length > MAX_TAGS)
        throw invalid(`\`updates[${at}]\` comes to more than ${MAX_TAGS} Tags: remove some first`);
      drafts.set(modelId, draft);
    }
    return storeDrafts(
      ctx,
      [...rows.values()].map((row) => ({ row, draft: drafts.get(row.id) as Document })),
    );
  });
  const tagIds = [...new Set(stored.flatMap(({ draft }) => draft.tag_ids))];
  const tags = tagIds.length === 0 ? [] : await tagsOf(ctx).where('id', 'in', tagIds).orderBy('id', 'desc').execute();
  const byId = new Map(stored.map((row) => [row.id, row]));
  return {
    updates: updates.map(({ model_id, model_type }) => ({
      ...{ model_id, model_type },
      tag_ids: byId.get(model_id)?.draft.tag_ids ?? [],
    })),
    tags: await presentTags(ctx, tags),
  };
}

function signed(sign: '+' | '-', id: string | undefined): string | undefined {
  return id === undefined ? undefined : `${sign}${id}`;
}

function readUpdate({ model_id, tag_id, tag_name, tag_names }: TagsUpdate, at: number) {
  const given = [tag_id, tag_name, tag_names].filter((one) => one !== undefined);
  if (given.length !== 1) throw invalid(`\`updates[${at}]\` needs one of \`tag_id\`, \`tag_name\` and \`tag_names\``);
  const names = [...(tag_names ?? []).map((name) => `+${name}`), ...(tag_name === undefined ? [] : [tag_name])];
  const parameter = `updates[${at}].${tag_names ? 'tag_names' : 'tag_name'}`;
  return {
    modelId: model_id,
    signedIds: tag_id === undefined ? [] : [tag_id],
    replacesAll: tag_names !== undefined,
    names: names.map((text) => {
      const [sign, name] = [text.charAt(0) as '+' | '-', text.slice(1).trim()];
      return { sign, name, uid: toTagUid(name, parameter) };
    }),
  };
}

/** Locks the Experiences in the order of their IDs. */
async function lockModels(ctx: Context, updates: readonly TagsUpdate[]): Promise<Map<string, ExperienceRow>> {
  const ids = [...new Set(updates.map(({ model_id }) => model_id))];
  const rows = await ctx.dialect.lockRows(experiencesOf(ctx).where('id', 'in', ids).orderBy('id')).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const problems = updates.flatMap(({ model_id, model_type }, at) => {
    const row = byId.get(model_id);
    if (row && kinds[row.kind].modelType === model_type) return [];
    return [`\`updates[${at}].model_id\` is the ID of no ${model_type} in this account`];
  });
  if (problems.length > 0) throw new ApiError(404, problems);
  return byId;
}
