import { listShownFields } from '../fields/derive.ts';
import { commonFields } from '../fields/experience-fields.ts';
import type { Fields } from '../fields/field.ts';
import { embed } from './embed.ts';
import type { Kind } from './kind.ts';
import { launcher } from './launcher.ts';
import { survey } from './survey.ts';
import { tooltip } from './tooltip.ts';
import { tour } from './tour.ts';

const all = { tour, survey, launcher, tooltip, embed };

export type ExperienceKind = keyof typeof all;
export const kinds: Readonly<Record<ExperienceKind, Kind>> = all;
export const experienceKinds = Object.keys(all) as [ExperienceKind, ...ExperienceKind[]];
export type KindPath = (typeof all)[ExperienceKind]['path'];
/** The kinds as they appear in the paths of the API, in the same order. */
export const kindPaths = experienceKinds.map(pathOfKind) as [KindPath, ...KindPath[]];

export function pathOfKind(kind: ExperienceKind): KindPath {
  return all[kind].path;
}

export function kindOfPath(path: string): ExperienceKind | undefined {
  return experienceKinds.find((kind) => kinds[kind].path === path);
}

type KindsWith<Key extends keyof Kind> = {
  [Name in ExperienceKind]: (typeof all)[Name] extends Record<Key, true> ? Name : never;
}[ExperienceKind];

export type ExclusiveKind = KindsWith<'isExclusive'>;

/** Lists the kinds that have a trait, such as `listKindsWith('asks')`. */
export function listKindsWith<Key extends 'isExclusive' | 'isLasting' | 'asks' | 'hasWebhooks'>(
  key: Key,
): readonly [KindsWith<Key>, ...KindsWith<Key>[]] {
  return experienceKinds.filter((kind) => kinds[kind][key]) as [KindsWith<Key>, ...KindsWith<Key>[]];
}

/** "tour or survey", "tours, surveys and embeds". */
export function joinNames(names: readonly string[], last: 'and' | 'or'): string {
  return names.join(', ').replace(/, (?=[^,]*$)/, ` ${last} `);
}

/** Whether only one Experience of this kind shows at a time. */
export function isExclusive({ kind }: { kind: ExperienceKind | undefined }): boolean {
  return !!kind && !!kinds[kind]?.isExclusive;
}

/** Whether a word is a kind that shows only one at a time. */
export function isExclusiveKind(word: string): word is ExclusiveKind {
  return listKindsWith('isExclusive').some((kind) => kind === word);
}

export function fieldsOfKind(kind: ExperienceKind): Fields {
  return { ...commonFields, ...kinds[kind].fields };
}

/** Whether users read texts of the Experience itself, besides the texts of its parts. */
export function hasOwnTexts(kind: ExperienceKind): boolean {
  return listShownFields(kinds[kind].fields).length > 0;
}

type FieldsOf = (typeof all)[ExperienceKind]['fields'];
type NamesIn<F> = F extends unknown ? keyof F : never;
type ValueIn<F, Name> = F extends unknown
  ? Name extends keyof F
    ? F[Name] extends { initial: infer Value }
      ? Value
      : never
    : never
  : never;
type PageValueIn<F, Name> = F extends unknown
  ? Name extends keyof F
    ? F[Name] extends { onPage?: infer Value }
      ? NonNullable<Value>
      : never
    : never
  : never;
/** The values of the fields that only some kinds have. */
export type OwnFields = { [Name in NamesIn<FieldsOf>]: ValueIn<FieldsOf, Name> };
/** The values of these fields as a page gets them. */
export type PageOwnFields = { [Name in NamesIn<FieldsOf>]: PageValueIn<FieldsOf, Name> };
/** The fields that only some kinds have. The words of a field are the words of all kinds that have it. */
export const ownFields: Fields = {};
for (const { fields } of Object.values(kinds))
  for (const [name, field] of Object.entries(fields)) {
    const words = [...new Set([...(ownFields[name]?.words ?? []), ...(field.words ?? [])])];
    ownFields[name] = { ...field, ...(field.words && { words }) };
  }
