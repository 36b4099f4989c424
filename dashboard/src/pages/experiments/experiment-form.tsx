import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { query } from '../../api/queries.ts';
import { EditForm } from '../../app/edit-form.tsx';
import { Section } from '../../app/page.tsx';
import { useEditForm } from '../../app/use-edit-form.ts';
import { CheckList } from '../../lists/check-list.tsx';
import * as text from '../../messages/text.ts';
import { NumberField } from '../../ui/number-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { Experiment } from './experiment-state.tsx';
import { NewGoal } from './new-goal.tsx';
import { VariantFields, type VariantValues } from './variant-fields.tsx';

const texts = text.experiments;
const MAX_DAYS = 90;
const MAX_CHANGE = 1000;

interface Values {
  name: string;
  variants: VariantValues[];
  segment_ids: string[];
  goal_ids: string[];
  guardrail_goal_ids: string[];
  window_days: number;
  smallest_change: number;
}

function toValues({ variants, ...experiment }: Experiment) {
  const { name, segment_ids, goal_ids, guardrail_goal_ids, window_days, smallest_change, updated_at } = experiment;
  return {
    ...{ name, segment_ids, goal_ids, guardrail_goal_ids, window_days, smallest_change, updated_at },
    variants: variants.map(({ name, experience_id, share }) => ({ name, experience_id, share })),
  };
}

/** The settings of an experiment. */
export function ExperimentForm({ experiment }: { experiment: Experiment }) {
  const { id, state } = experiment;
  const client = useQueryClient();
  const shown = query('GET /v3/edit/experiments/{id}', { id });
  const form = useEditForm<Values>({
    saved: toValues(experiment),
    send: async (changed) => {
      await api('PATCH /v3/edit/experiments/{id}', { id, ...changed });
      await client.invalidateQueries({ queryKey: ['experiments'] });
    },
    reload: async () => toValues((await client.fetchQuery({ ...shown, staleTime: 0 })).experiment),
    labels: texts.fields,
  });
  const { values, set, wrong } = form;
  const { data: segments } = useQuery(query('GET /v3/edit/segments', { limit: 500 }));
  const { data: goals } = useQuery(query('GET /v3/edit/goals', { limit: 500 }));
  const goalOptions = goals?.goals.filter(
    ({ id, archived_at }) => archived_at === null || values.goal_ids.includes(id),
  );
  const isDraft = state === 'draft';
  return (
    <Section title={texts.settings} {...(!isDraft && { intro: texts.fixed })}>
      <EditForm form={form} action={texts.save}>
        <TextField
          label={texts.fields.name}
          value={values.name}
          onChange={(name) => set('name', name)}
          error={wrong.name}
        />
        <VariantFields
          value={values.variants}
          onChange={(variants) => set('variants', variants)}
          isFixed={!isDraft}
          error={wrong.variants}
        />
        <CheckList
          label={texts.fields.segment_ids}
          help={texts.segmentsHelp}
          options={segments?.segments}
          value={values.segment_ids}
          onChange={(ids) => set('segment_ids', ids)}
          none={texts.noSegments}
          isDisabled={!isDraft}
        />
        <CheckList
          label={texts.fields.goal_ids}
          help={texts.goalsHelp}
          options={goalOptions}
          value={values.goal_ids}
          onChange={(ids) => set('goal_ids', ids)}
          none={texts.noGoals}
        />
        <NewGoal onCreated={(goalId) => set('goal_ids', [...values.goal_ids, goalId])} />
        {(goalOptions?.length ?? 0) > 0 && (
          <CheckList
            label={texts.fields.guardrail_goal_ids}
            help={texts.guardrailsHelp}
            options={goalOptions}
            value={values.guardrail_goal_ids}
            onChange={(ids) => set('guardrail_goal_ids', ids)}
            none={texts.noGoals}
          />
        )}
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <NumberField
            label={texts.fields.window_days}
            help={texts.windowHelp}
            value={values.window_days}
            onChange={(days) => set('window_days', Math.round(days))}
            min={1}
            max={MAX_DAYS}
            problem={texts.wrongNumber}
            error={wrong.window_days}
          />
          <NumberField
            label={texts.fields.smallest_change}
            help={texts.changeHelp}
            value={values.smallest_change}
            onChange={(change) => set('smallest_change', change)}
            min={0.1}
            max={MAX_CHANGE}
            problem={texts.wrongNumber}
            error={wrong.smallest_change}
          />
        </div>
      </EditForm>
    </Section>
  );
}
