import { useEffect, useRef, useState } from 'react';
import * as text from '../../../messages/text.ts';
import type { Candidate, ElementPick, PickResult } from '../../../picks/pick-api.ts';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { CandidateList } from './candidate-list.tsx';
import { candidatesOf, firstChoice, keyOf } from './describe-candidate.ts';
import type { PickTarget } from './pick-target.ts';
import { WireframePicture } from './wireframe.tsx';

const texts = text.pick.result;
/** A step has at most this many ways to find its element. */
const MAX_ELEMENTS = 10;

/** The candidates that are chosen, in their order. */
export interface ChosenCandidates {
  candidates: readonly Candidate[];
  keys: ReadonlySet<string>;
  chosen: readonly Candidate[];
  choose: (keys: ReadonlySet<string>) => void;
  /** Whether all chosen candidates are likely to break. */
  isFragile: boolean;
}

/** The choice starts again when the page sends another result. */
export function useChosen(result: PickResult | null, holds: PickTarget['holds']): ChosenCandidates {
  const [choice, setChoice] = useState<{ of: string; keys: ReadonlySet<string> }>();
  // Each message of the server is a new object, even if its content is the same.
  const of = JSON.stringify(result && [result.elements, result.candidates]);
  const candidates = result ? candidatesOf(result, holds) : [];
  const keys = choice?.of === of ? choice.keys : result ? firstChoice(result, holds) : new Set<string>();
  const chosen = candidates.filter((one) => keys.has(keyOf(one))).slice(0, MAX_ELEMENTS);
  const isFragile = chosen.length > 0 && chosen.every(({ kind }) => kind === 'positional');
  return { candidates, keys, chosen, choose: (keys) => setChoice({ of, keys }), isFragile };
}

interface ResultViewProps {
  pick: ElementPick;
  result: PickResult;
  target: PickTarget;
  choice: ChosenCandidates;
}

/** The result of a pick: where the element is, how it can be found, and what developers can do to keep it findable. */
export function ResultView({ pick, result, target, choice }: ResultViewProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The view opens automatically, so the focus goes to the heading and not to a button: the person may be about to
  // press Enter.
  useEffect(() => heading.current?.focus(), []);
  const { href, title } = pick.page ?? { href: pick.href, title: null };
  const { candidates, keys, isFragile } = choice;
  const isSingle = target.holds !== 'several';
  const attribute = result.attribute && (
    <div className="flex flex-col gap-1">
      <CodeBlock code={result.attribute} label={texts.attribute} />
      <p className="text-13 text-soft">{texts.attributeHelp}</p>
    </div>
  );
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
        <WireframePicture result={result} step={target.step} />
        <figcaption className="text-12 text-soft">{texts.sketch}</figcaption>
      </figure>
      {isFragile && (
        <>
          <Notice kind="warning" title={texts.fragile}>
            {candidates.some(({ kind }) => kind !== 'positional') ? texts.fragileChoice : texts.onlyPositional}
          </Notice>
          {attribute}
        </>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: the heading names it, which a legend would repeat */}
      <div role="group" aria-label={texts.candidates} className="flex flex-col gap-2">
        <div>
          <h3 className="text-14 font-medium">{texts.candidates}</h3>
          <p className="text-13 text-soft">{isSingle ? texts.candidateHelp : texts.candidatesHelp}</p>
        </div>
        {candidates.length > 0 && (
          <CandidateList
            candidates={candidates}
            language={result.language}
            chosen={keys}
            isSingle={isSingle}
            onChange={choice.choose}
          />
        )}
        <p role="status" className="text-13 text-bad empty:hidden">
          {candidates.length === 0 ? texts.noSelector : keys.size === 0 && texts.nothing}
        </p>
        {target.isSet && <p className="text-13 text-soft">{texts.replaces[target.what]}</p>}
      </div>
      {!isFragile && attribute}
    </div>
  );
}
