import Type, { type Static } from 'typebox';
import { User } from '../account/persons.ts';
import { Id, Nullable, OneOf, OutputObject, standardFields, Text, Time, Timestamp } from '../basics/schema.ts';
import type { Millis } from '../basics/time.ts';
import { CreateExperience, ExperienceParameters } from '../content/experience-parameters.ts';
import { experienceKinds } from '../kinds/kinds.ts';

/*
 * A proposal is a draft that waits until a person approves it. It is stored beside the draft of the Experience, which it
 * does not change.
 */

export const proposalStates = ['open', 'approved', 'rejected'] as const;
export type ProposalState = (typeof proposalStates)[number];

/** How many proposals of an account can wait at a time. */
export const MAX_OPEN_PROPOSALS = 200;

/** When users see an Experience, and before which others: people decide about that. A template brings translations, too. */
const leftOut = ['published_at', 'published_until', 'archived_at', 'position', 'template_id'] as const;

function withoutDecisions<Fields extends object>(fields: Fields): Omit<Fields, (typeof leftOut)[number]> {
  const rest = { ...fields } as Record<string, unknown>;
  for (const name of leftOut) delete rest[name];
  return rest as Omit<Fields, (typeof leftOut)[number]>;
}

const note = Type.Optional(Nullable(Text('what the proposal is for, in a sentence or two', 1000)));

export const ProposeExperience = Type.Object({ ...withoutDecisions(CreateExperience.properties), note });
export const ProposeChange = Type.Object({ ...withoutDecisions(ExperienceParameters.properties), note });

export const ApproveProposal = Type.Object({
  updated_at: Type.Unsafe<Millis>({
    ...Time,
    description: 'the `updated_at` of the proposal that you have seen: nothing that came later is approved',
  }),
  publish: Type.Unsafe<boolean>({
    type: 'boolean',
    default: true,
    description: '`false` to make it the draft without publishing it',
  }),
});
export const RejectProposal = Type.Object({
  reason: Text('a sentence that says why, for who proposed it', 1000),
});

const listedFields = {
  ...standardFields,
  state: OneOf(proposalStates),
  kind: OneOf(experienceKinds),
  /** The Experience that it changes, or that it became; null for a new one that is not approved. */
  experience_id: Nullable(Id),
  /** Whether it is about an Experience that does not exist yet. */
  is_new: Type.Boolean(),
  /** The name that the Experience would have. */
  name: Type.String(),
  note: Nullable(Type.String()),
  /** Whether the draft has changed since, so that the proposal can only be rejected. */
  is_outdated: Type.Boolean(),
  /** The secret that it was made with; null for a person who has signed in. */
  secret: Nullable(OutputObject({ id: Id, name: Type.String() })),
  /** For whom it was made. */
  user: User,
  decided_at: Nullable(Timestamp),
  decided_by: Nullable(User),
  /** Why it was rejected. */
  reason: Nullable(Type.String()),
};
export const ListedProposal = OutputObject(listedFields);
export type ListedProposal = Static<typeof ListedProposal>;
export const Proposal = OutputObject({
  ...listedFields,
  /** The Experience as it would be. */
  experience: Type.Record(Type.String(), Type.Unknown()),
});
export type Proposal = Static<typeof Proposal>;
