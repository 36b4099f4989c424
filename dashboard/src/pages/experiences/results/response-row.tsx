import { askOf, nameOf } from '@usher/domain';
import type { ResponseOf } from '../../../api/api.ts';
import { useIsReachable } from '../../../app/reachable-paths.ts';
import type { ShownExperience } from '../../../editor/document.ts';
import { readableText } from '../../../editor/readable-text.ts';
import { formatNumber } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Checkbox } from '../../../ui/choice.tsx';
import { Link } from '../../../ui/link.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { labelOfAnswer } from './describe-results.ts';

const texts = text.responses;
export type ShownResponse = ResponseOf<'GET /v3/analyze/responses'>['responses'][number];

interface ResponseRowProps {
  response: ShownResponse;
  seen: ShownExperience;
  /** Undefined if the reader may not set Tags. */
  onSelect: ((isSelected: boolean) => void) | undefined;
  isSelected: boolean;
}

/** What one person answered. */
export function ResponseRow({ response, seen, onSelect, isSelected }: ResponseRowProps) {
  const { details, profile, created_at, finished_at, source } = response;
  const name = nameOfAuthor(profile);
  const properties = Object.entries(details?.properties ?? {});
  return (
    <li className="flex gap-3 border-b border-line px-3 py-3 last:border-b-0">
      {onSelect && <Checkbox aria-label={texts.select(name)} isSelected={isSelected} onChange={onSelect} />}
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-13 text-soft">
          {details?.score != null && <Badge tone="accent">{texts.score(formatNumber(details.score))}</Badge>}
          <Author id={profile.id} name={name} />
          <RelativeTime time={created_at} />
          {source === 'link' && <Badge>{texts.fromLink}</Badge>}
          {finished_at === null && <Badge>{texts.open}</Badge>}
          {details?.tags.map((tag) => (
            <Badge key={tag} tone="good">
              <bdi>{tag}</bdi>
            </Badge>
          ))}
          {properties.map(([key, value]) => (
            <span key={key} className="wrap-anywhere">
              {key}: <bdi>{typeof value === 'string' ? value : JSON.stringify(value)}</bdi>
            </span>
          ))}
        </p>
        <dl className="grid gap-x-4 gap-y-1 text-14 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
          {response.answers.map((answer) => {
            const step = seen.steps.find(({ id }) => id === answer.step_id);
            return (
              <div key={answer.step_id} className="contents">
                <dt className="text-soft wrap-anywhere">
                  {step ? readableText(step.title) || texts.untitled : texts.removed}
                </dt>
                <dd dir="auto" className="mb-1 whitespace-pre-wrap wrap-anywhere">
                  {describeAnswer(answer, (step && askOf(step)?.kind) ?? '')}
                </dd>
              </div>
            );
          })}
        </dl>
      </div>
    </li>
  );
}

function describeAnswer(answer: ShownResponse['answers'][number], kind: string): string {
  const { button_text, dropdown_items, other_text, input_text } = answer;
  const chosen = button_text === null ? (dropdown_items ?? []) : [labelOfAnswer(kind, button_text)];
  return [chosen.join(', '), other_text, input_text].filter(Boolean).join('\n');
}

function nameOfAuthor(profile: ShownResponse['profile']): string {
  const { email, uid, id } = profile as { email?: string | null; uid?: string; id: string };
  return nameOf(profile as Record<string, unknown>) || email || uid || id;
}

/** The person, with a link to their page if the reader can open it. */
function Author({ id, name }: { id: string; name: string }) {
  const isReachable = useIsReachable();
  const shown = <bdi>{name}</bdi>;
  return isReachable('/app/people/:id/:tab?') ? (
    <Link href={`/app/people/${id}`}>{shown}</Link>
  ) : (
    <span className="text-ink">{shown}</span>
  );
}
