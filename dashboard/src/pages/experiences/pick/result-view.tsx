import { useEffect, useRef, useState } from 'react';
import type { Step } from '../../../editor/document.ts';
import * as text from '../../../messages/text.ts';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { CandidateList } from './candidate-list.tsx';
import { candidatesOf, firstChoice, keyOf } from './describe-candidate.ts';
import type { Candidate, ElementPick, PickResult } from './pick-api.ts';
import { WireframePicture } from './wireframe.tsx';

const texts = text.pick.result;
/** A step has at most this many ways to find its element. */
const MAX_ELEMENTS = 10;

/** The candidates that are chosen, in their order. The page may send another result, which starts again. */
export function useChosen(result: PickResult | null) {
  const [choice, setChoice] = useState<{ of: string; keys: ReadonlySet<string> }>();
  // Each message of the server is a new object, also if it says the same.
  const of = JSON.stringify(result && [result.elements, result.candidates]);
  const candidates = result ? candidatesOf(result) : [];
  const keys = choice?.of === of ? choice.keys : result ? firstChoice(result) : new Set<string>();
  const chosen = candidates.filter((one) => keys.has(keyOf(one))).slice(0, MAX_ELEMENTS);
  return { candidates, keys, chosen, choose: (keys: ReadonlySet<string>) => setChoice({ of, keys }) };
}

interface ResultViewProps {
  pick: ElementPick;
  result: PickResult;
  step: Step;
  candidates: readonly Candidate[];
  keys: ReadonlySet<string>;
  onChoose: (keys: ReadonlySet<string>) => void;
}

/** What was picked: where it is, how it can be found, and what developers can do so that it stays findable. */
export function ResultView({ pick, result, step, candidates, keys, onChoose }: ResultViewProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The view comes by itself, so the focus is on no button that an Enter could press.
  useEffect(() => heading.current?.focus(), []);
  const { href, title } = pick.page ?? { href: pick.href, title: null };
  return (
    <div className="flex flex-col gap-4">
      <div>
        <h3 ref={heading} tabIndex={-1} className="text-14 font-medium outline-none">
          {texts.title}
        </h3>
        <p className="text-13 text-soft wrap-anywhere">
          {texts.on} <bdi>{title || href}</bdi>
          {title && (
            <>
              {' '}
              · <bdi>{href}</bdi>
            </>
          )}
        </p>
      </div>
      <figure className="flex flex-col gap-1">
        <WireframePicture result={result} step={step} />
        <figcaption className="text-12 text-soft">{texts.sketch}</figcaption>
      </figure>
      {candidates.every(({ kind }) => kind === 'positional') && <Notice kind="warning">{texts.onlyPositional}</Notice>}
      {/* biome-ignore lint/a11y/useSemanticElements: the heading names it, which a legend would repeat */}
      <div role="group" aria-label={texts.candidates} className="flex flex-col gap-2">
        <div>
          <h3 className="text-14 font-medium">{texts.candidates}</h3>
          <p className="text-13 text-soft">{texts.candidatesHelp}</p>
        </div>
        <CandidateList candidates={candidates} chosen={keys} onChange={onChoose} />
        <p role="status" className="text-13 text-bad empty:hidden">
          {keys.size === 0 && texts.nothing}
        </p>
        {step.elements.length > 0 && <p className="text-13 text-soft">{texts.replaces}</p>}
      </div>
      {result.attribute && (
        <div className="flex flex-col gap-1">
          <CodeBlock code={result.attribute} label={texts.attribute} />
          <p className="text-13 text-soft">{texts.attributeHelp}</p>
        </div>
      )}
    </div>
  );
}
