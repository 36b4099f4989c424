import { useQuery } from '@tanstack/react-query';
import { query, useSend } from '../../api/queries.ts';
import { Section } from '../../app/page.tsx';
import { showError } from '../../app/show-error.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import type { Move } from './move-page.tsx';
import { withMove } from './with-move.ts';

const texts = text.moves;

/** The work list: steps that came as texts only. The editor has the picker. */
export function StepsToPlace({ move }: { move: Move }) {
  const { data } = useQuery(withMove(query('GET /v3/edit/move/steps'), 'steps', move));
  const dismiss = useSend('DELETE /v3/edit/move/steps/{id}');
  const steps = data?.steps ?? [];
  if (steps.length === 0) return null;
  return (
    <Section title={texts.steps(steps.length)}>
      <p className="text-13 text-soft">{texts.stepsHelp}</p>
      <ul className="flex flex-col divide-y divide-line rounded-10 border border-line bg-surface">
        {steps.map(({ experience_id, experience_name, step_id, step_index, step_title }) => {
          const title = step_title ?? texts.untitled;
          return (
            <li key={step_id} className="flex items-center gap-3 px-3 py-2 text-14">
              <span className="flex min-w-0 flex-1 flex-col">
                <Link
                  href={`/app/experiences/${experience_id}?field=steps.${step_index}.elements&pick=${step_id}`}
                  aria-label={texts.open(title)}
                >
                  <bdi>{title}</bdi>
                </Link>
                <bdi className="truncate text-13 text-soft">{experience_name}</bdi>
              </span>
              <Button
                size="small"
                aria-label={texts.dismissStep(title)}
                onPress={() => dismiss.mutate({ id: step_id }, { onError: showError })}
              >
                {texts.dismiss}
              </Button>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
