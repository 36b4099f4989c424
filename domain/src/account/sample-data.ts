import Type, { type Static } from 'typebox';
import { Id, Nullable, OutputObject, Timestamp } from '../basics/schema.ts';

/** The kinds of records that sample data has. `sample_data` stands for all of it. */
export const sampleTypes = [
  ...(['url_group', 'url', 'tag', 'segment', 'company', 'profile', 'property', 'experience'] as const),
  'sample_data',
] as const;
export type SampleType = (typeof sampleTypes)[number];

const Count = Type.Integer();

export const SampleData = OutputObject({
  /** When the sample data was loaded; null if it is not loaded. */
  loaded_at: Nullable(Timestamp),
  /** Whether the sample data can be loaded: not while it is loaded, and not beside records that have the uids of the sample. */
  can_load: Type.Boolean(),
  /** Whether the account has no profiles, Companies, Segments or Experiences besides the sample data and the demo site. */
  is_account_empty: Type.Boolean(),
  /** How many records came with the sample data. */
  counts: OutputObject({
    profiles: Count,
    companies: Count,
    segments: Count,
    experiences: Count,
    tags: Count,
    properties: Count,
    url_groups: Count,
    urls: Count,
  }),
  /** The Experiences of the sample data. Their Changes until `loaded_at` are sample data too. */
  experience_ids: Type.Array(Id),
});
export type SampleData = Static<typeof SampleData>;
