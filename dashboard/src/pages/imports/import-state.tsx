import { CircleCheck, Clock, FlaskConical, LoaderCircle, type LucideIcon, PenLine, TriangleAlert } from 'lucide-react';
import type { ResponseOf } from '../../api/api.ts';
import * as text from '../../messages/text.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';

export type ImportRecord = ResponseOf<'GET /v3/edit/imports/{id}'>['import'];
export type ImportModel = ImportRecord['model_kind'];
type State = keyof typeof text.imports.states;

const looks: Record<State, { tone: Tone; icon: LucideIcon }> = {
  draft: { tone: 'neutral', icon: PenLine },
  tried: { tone: 'neutral', icon: FlaskConical },
  scheduled: { tone: 'accent', icon: Clock },
  started: { tone: 'accent', icon: LoaderCircle },
  retrying: { tone: 'warn', icon: TriangleAlert },
  completed: { tone: 'good', icon: CircleCheck },
  error: { tone: 'bad', icon: TriangleAlert },
};

export function stateOf({ import_at, stats }: ImportRecord): State {
  const { last_import_state: state } = stats;
  if (import_at === null) return state === 'completed' ? 'tried' : 'draft';
  return state ?? (Date.parse(import_at) > Date.now() ? 'scheduled' : 'started');
}

/** Whether the server works on it, so that its numbers change. */
export function isRunning(record: ImportRecord): boolean {
  return ['scheduled', 'started', 'retrying'].includes(stateOf(record));
}

export function ImportState({ record }: { record: ImportRecord }) {
  const state = stateOf(record);
  return (
    <Badge tone={looks[state].tone} icon={looks[state].icon}>
      {text.imports.states[state]}
    </Badge>
  );
}
