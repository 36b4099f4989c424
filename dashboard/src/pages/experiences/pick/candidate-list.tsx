import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import * as text from '../../../messages/text.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Checkbox } from '../../../ui/choice.tsx';
import { describeCandidate, describeMatches, keyOf, type Words } from './describe-candidate.ts';
import type { Candidate } from './pick-api.ts';

const texts = text.pick.result;

interface CandidateListProps {
  candidates: readonly Candidate[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}

/** The ways to find the element, each with what its score means. */
export function CandidateList({ candidates, chosen, onChange }: CandidateListProps) {
  const toggle = (key: string, isOn: boolean) => {
    const next = new Set(chosen);
    if (isOn) next.add(key);
    else next.delete(key);
    onChange(next);
  };
  return (
    <ol className="flex flex-col divide-y divide-line rounded-6 border border-line">
      {candidates.map((candidate) => {
        const key = keyOf(candidate);
        const words = describeCandidate(candidate);
        return (
          <li key={key} className="px-3 py-2.5">
            <Checkbox
              isSelected={chosen.has(key)}
              onChange={(isOn) => toggle(key, isOn)}
              label={<CandidateName candidate={candidate} />}
              help={
                <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                  <WordsBadge words={words} />
                  <span>{describeMatches(candidate.matches)}</span>
                  <span className="basis-full text-12">{words.help}</span>
                </span>
              }
            />
          </li>
        );
      })}
    </ol>
  );
}

const icons = { good: CircleCheck, accent: CircleCheck, warn: TriangleAlert, bad: CircleAlert, neutral: CircleCheck };

export function WordsBadge({ words: { name, tone } }: { words: Words }) {
  return (
    <Badge tone={tone} icon={icons[tone]}>
      {name}
    </Badge>
  );
}

/** Selectors and texts come from the page. */
function CandidateName({ candidate: { selector, text: said, shadow_selector: inner } }: { candidate: Candidate }) {
  return (
    <span className="min-w-0 text-13 wrap-anywhere">
      {selector && <Code>{selector}</Code>}
      {inner && (
        <>
          {' '}
          <span className="text-soft">{texts.inside}</span> <Code>{inner}</Code>
        </>
      )}
      {said && (
        <>
          {' '}
          <span className="text-soft">{texts.withText}</span> <bdi>“{said}”</bdi>
        </>
      )}
    </span>
  );
}

function Code({ children }: { children: string }) {
  return (
    <code dir="ltr" className="font-mono">
      <bdi>{children}</bdi>
    </code>
  );
}
