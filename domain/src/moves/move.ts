import Type, { type Static } from 'typebox';
import { Id, Nullable, OneOf, OutputObject, Text, Timestamp } from '../basics/schema.ts';
import { experienceKinds } from '../kinds/kinds.ts';

/** What moves here from another service, in this order: what others refer to comes first. */
export const moveStages = [
  ...([
    'properties',
    'event_names',
    'url_groups',
    'urls',
    'tags',
    'companies',
    'profiles',
    'segments',
    'goals',
    'themes',
  ] as const),
  ...(['experiences', 'translations', 'publishing', 'updates', 'limit_groups', 'alert_groups'] as const),
  ...(['interactions', 'responses', 'deliveries', 'webhooks', 'totals'] as const),
] as const;
export type MoveStage = (typeof moveStages)[number];

/** Stages that complete another one. They run when that one does. */
const partOf: Partial<Record<MoveStage, MoveStage>> = {
  translations: 'experiences',
  publishing: 'experiences',
  updates: 'experiences',
  totals: 'interactions',
};
/** What somebody can choose to move. */
export const movedNouns = moveStages.filter((stage) => partOf[stage] === undefined);

/** The stages that move these nouns; all stages for none. */
export function stagesOf(nouns: readonly string[]): MoveStage[] {
  return moveStages.filter((stage) => nouns.length === 0 || nouns.includes(partOf[stage] ?? stage));
}

/** How far a stage is. */
export interface StageProgress {
  /** How many records were stored. */
  done: number;
  /** How many there are, as far as it is known. */
  total: number | null;
  isFinished: boolean;
  /** Where the next page begins. */
  cursor: string | null;
  /** The Experience whose records are being read. */
  experienceId: string | null;
  /** When the last complete run of the stage began. */
  since: number | null;
  /** When the current run of the stage began. */
  startedAt: number;
  /** How many records had a problem. */
  problems: number;
}

/** How far a move is. */
export interface MoveProgress {
  /** The largest page that the other service accepts. */
  pageSize: number;
  /** How many requests were sent in all runs. */
  requests: number;
  secondsLeft: number | null;
  /** Experiences that were created and are not complete yet. */
  unfinished: string[];
  /** Webhooks that send again once the move is released. */
  heldWebhooks: string[];
  stages: Partial<Record<MoveStage, StageProgress>>;
}

const ShownStage = OutputObject({
  stage: OneOf(moveStages),
  done: Type.Integer(),
  total: Nullable(Type.Integer()),
  finished: Type.Boolean(),
  problems_count: Type.Integer(),
});

/** A move as the dashboard shows it. */
export const Move = OutputObject({
  source: Type.String(),
  source_account_id: Id,
  state: OneOf(['running', 'stopped', 'finished', 'released']),
  started_at: Timestamp,
  updated_at: Timestamp,
  finished_at: Nullable(Timestamp),
  released_at: Nullable(Timestamp),
  /** Why it has stopped. */
  error: Nullable(Type.String()),
  requests_count: Type.Integer(),
  /** Null if it is not known. */
  seconds_left: Nullable(Type.Integer()),
  stages: Type.Array(ShownStage),
  problems_count: Type.Integer(),
  /** How many steps came without their element. */
  unplaced_steps_count: Type.Integer(),
});
export type Move = Static<typeof Move>;

export const MoveProblem = OutputObject({
  stage: OneOf(moveStages),
  record_id: Type.String(),
  message: Type.String(),
});
export type MoveProblem = Static<typeof MoveProblem>;

export const UnplacedStep = OutputObject({
  experience_id: Id,
  experience_kind: OneOf(experienceKinds),
  experience_name: Type.String(),
  step_id: Id,
  /** The place of the step in the Experience, from 0. */
  step_index: Type.Integer(),
  step_title: Nullable(Type.String()),
});
export type UnplacedStep = Static<typeof UnplacedStep>;

export const StartMove = Type.Object({
  source: Text('the address of the other service, such as `https://api.example.com`', 1000),
  secret: Text('the account secret of the other service', 1000),
  verification_secret: Type.Optional(Text('the secret with which your backend makes `uid_hash`', 1000)),
});
export type StartMove = Static<typeof StartMove>;
