import { MAX_FUNNEL_STEPS } from '@usher/domain';
import { useRef } from 'react';
import { EventNameField } from '../../../experiences/event-name-field.tsx';
import { FilterBuilder } from '../../../filters/filter-builder.tsx';
import { toAllOf, toFilterSetOf } from '../../../filters/filter-set.ts';
import { useGoalSubjects } from '../../../goals/use-goal-names.ts';
import { MovableList } from '../../../lists/movable-list.tsx';
import { formatNumber } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { ComboBox } from '../../../ui/combo-box.tsx';
import { Fold } from '../../../ui/fold.tsx';
import { Select } from '../../../ui/select.tsx';
import { type EditedStep, newStep, states } from './funnel-address.ts';

const texts = text.funnel;

interface FunnelStepsProps {
  steps: readonly EditedStep[];
  onChange: (steps: readonly EditedStep[]) => void;
}

/** The steps of a funnel: add, move and remove them, and say what each is. */
export function FunnelSteps({ steps, onChange }: FunnelStepsProps) {
  const root = useRef<HTMLOListElement>(null);
  const focus = (at: number) =>
    requestAnimationFrame(() => root.current?.children[at]?.querySelector<HTMLElement>('button, input')?.focus());
  return (
    <MovableList
      root={root}
      title={texts.steps}
      items={steps}
      max={MAX_FUNNEL_STEPS}
      words={{ add: texts.add, full: texts.full, actions: texts.actions }}
      isReadOnly={false}
      onChange={onChange}
      onMoved={focus}
      onRemove={(at) => {
        onChange(steps.toSpliced(at, 1));
        focus(Math.max(at - 1, 0));
      }}
      onAdd={() => {
        onChange([...steps, newStep]);
        focus(steps.length);
      }}
      rowProps={(_, index) => ({ 'aria-label': texts.step(index + 1) })}
      className="gap-2"
      rowLook="rounded-10 border border-line bg-surface p-3"
      renderRow={(step, index, { handle, menu }) => (
        <div className="flex items-start gap-2">
          <span className="flex h-8 shrink-0 items-center gap-1 text-13 font-medium text-soft tabular-nums">
            {handle}
            {formatNumber(index + 1)}
          </span>
          <div className="min-w-0 flex-1">
            <StepFields step={step} onChange={(next) => onChange(steps.with(index, next))} />
          </div>
          {menu}
        </div>
      )}
    />
  );
}

function StepFields({ step, onChange }: { step: EditedStep; onChange: (step: EditedStep) => void }) {
  const kind = (
    <Select
      label={texts.kind}
      options={(['event', 'experience'] as const).map((value) => ({ value, label: texts.kinds[value] }))}
      value={step.kind}
      onChange={(next) => {
        if (next !== step.kind)
          onChange(next === 'event' ? newStep : { kind: next, experience_id: null, state: 'started' });
      }}
    />
  );
  if (step.kind === 'experience')
    return (
      <div className="grid items-start gap-3 sm:grid-cols-3">
        {kind}
        <ExperienceFields step={step} onChange={onChange} />
      </div>
    );
  return (
    <div className="flex flex-col gap-3">
      <div className="grid items-start gap-3 sm:grid-cols-3">
        {kind}
        <div className="sm:col-span-2">
          <EventNameField
            label={texts.event}
            value={step.name}
            onChange={(name) => onChange({ ...step, name })}
            isReadOnly={false}
          />
        </div>
      </div>
      <Fold
        title={texts.filters(formatNumber(step.filters.length), step.filters.length === 0)}
        isOpen={step.filters.length > 0}
      >
        <FilterBuilder
          isEvent
          value={toFilterSetOf(step.filters)}
          onChange={(filters) => onChange({ ...step, filters: toAllOf(filters) })}
        />
      </Fold>
    </div>
  );
}

interface ExperienceFieldsProps {
  step: Extract<EditedStep, { kind: 'experience' }>;
  onChange: (step: EditedStep) => void;
}

function ExperienceFields({ step, onChange }: ExperienceFieldsProps) {
  const { experiences } = useGoalSubjects();
  return (
    <>
      {/* The field shows a name only if it is known when it is mounted. */}
      <ComboBox
        key={`${step.experience_id} ${experiences.some(({ id }) => id === step.experience_id)}`}
        label={texts.experience}
        options={experiences.map(({ id, name }) => ({ value: id, label: name }))}
        value={step.experience_id}
        onChange={(experience_id) => experience_id !== null && onChange({ ...step, experience_id })}
      />
      <Select
        label={texts.state}
        options={states.map((value) => ({ value, label: texts.states[value] }))}
        value={step.state}
        onChange={(state) => onChange({ ...step, state })}
      />
    </>
  );
}
