import type { ResponseOf } from '../../api/api.ts';
import * as text from '../../messages/text.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';

export type Experiment = ResponseOf<'GET /v3/edit/experiments/{id}'>['experiment'];

const tones: Record<Experiment['state'], Tone> = { draft: 'neutral', running: 'good', ended: 'accent' };

export function ExperimentState({ state }: Pick<Experiment, 'state'>) {
  return <Badge tone={tones[state]}>{text.experiments.states[state]}</Badge>;
}
