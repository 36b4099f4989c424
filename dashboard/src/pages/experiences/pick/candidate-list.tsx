import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import * as text from '../../../messages/text.ts';
import type { Candidate } from '../../../picks/pick-api.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Checkbox, RadioGroup } from '../../../ui/choice.tsx';
import { describeCandidate, describeMatches, keyOf, type Words } from './describe-candidate.ts';

const texts = text.pick.result;

interface CandidateListProps {
  candidates: readonly Candidate[];
  /** The language of the page. */
  language: string | undefined;
  chosen: ReadonlySet<string>;
  /** Whether only one candidate can be chosen. */
  isSingle: boolean;
  onChange: (chosen: ReadonlySet<string>) => void;
}

/** The ways to find the element, each with what its score means. */
export function CandidateList({ candidates, language, chosen, isSingle, onChange }: CandidateListProps) {
  const rows = candidates.map((candidate) => ({
    value: keyOf(candidate),
    label: <CandidateName candidate={candidate} />,
    help: <CandidateHelp candidate={candidate} language={language} />,
  }));
  if (isSingle)
    return (
      <RadioGroup
        label={texts.candidates}
        options={rows}
        value={[...chosen][0] ?? null}
        onChange={(key) => onChange(new Set([key]))}
        className="gap-3 rounded-6 border border-line px-3 py-2.5 [&>:first-child]:sr-only"
      />
    );
  const toggle = (key: string, isOn: boolean) => {
    const next = new Set(chosen);
    if (isOn) next.add(key);
    else next.delete(key);
    onChange(next);
  };
  return (
    <ol className="flex flex-col divide-y divide-line rounded-6 border border-line">
      {rows.map(({ value, label, help }) => (
        <li key={value} className="px-3 py-2.5">
          <Checkbox isSelected={chosen.has(value)} onChange={(isOn) => toggle(value, isOn)} label={label} help={help} />
        </li>
      ))}
    </ol>
  );
}

function CandidateHelp({ candidate, language }: { candidate: Candidate; language: string | undefined }) {
  const words = describeCandidate(candidate, language);
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <WordsBadge words={words} />
      <span>{describeMatches(candidate.matches)}</span>
      <span className="basis-full text-12">{words.help}</span>
    </span>
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

/** The selector or text of a candidate, which come from the page. */
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
